package bridge

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/sandbox/wire"
)

// maxMediaBytes bounds the binary blocks that the host keeps for one run, in
// bytes of their JSON.
const maxMediaBytes = 64 << 20

// handle is what a script gets in place of an image, a sound or a binary resource:
// the data stays on the host, where it does not fill the script's heap. The
// script can emit the handle, or ask for the bytes.
type handle struct {
	Type     string `json:"type"`
	MIMEType string `json:"mimeType,omitempty"`
	URI      string `json:"uri,omitempty"`
	// Bytes is the size of the data when it is decoded.
	Bytes int `json:"bytes"`
	// Media names the data within the run; empty when it was not kept.
	Media string `json:"media,omitempty"`
}

// hold keeps the data of a binary block and gives its handle. Every other block
// comes back as it is.
func (r *run) hold(c catalog.Content) json.RawMessage {
	var b struct {
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
		Resource struct {
			URI      string `json:"uri"`
			MIMEType string `json:"mimeType"`
			Blob     string `json:"blob"`
		} `json:"resource"`
	}
	if c.Type != "image" && c.Type != "audio" && c.Type != "resource" || json.Unmarshal(c.Raw, &b) != nil {
		return block(c)
	}
	h := handle{Type: c.Type, MIMEType: b.MIMEType}
	data := b.Data
	if c.Type == "resource" {
		if b.Resource.Blob == "" {
			return block(c)
		}
		h.MIMEType, h.URI, data = b.Resource.MIMEType, b.Resource.URI, b.Resource.Blob
	}
	h.Bytes = len(strings.TrimRight(data, "=")) * 3 / 4
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mediaBytes+len(c.Raw) > maxMediaBytes {
		r.warnLocked(fmt.Sprintf("the tools of this run gave more than %d MB of images and the like: one of %s was not kept", maxMediaBytes>>20, h.MIMEType))
		return mustJSON(h)
	}
	r.mediaBytes += len(c.Raw)
	r.media = append(r.media, kept{block: c.Raw, data: data})
	h.Media = strconv.Itoa(len(r.media))
	return mustJSON(h)
}

// kept is one binary block of the run.
type kept struct {
	block json.RawMessage
	data  string // base64
}

// held finds a block by the name its handle has.
func (r *run) held(name string) (kept, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, err := strconv.Atoi(name)
	if err != nil || i < 1 || i > len(r.media) {
		return kept{}, false
	}
	return r.media[i-1], true
}

// mediaData answers a script that wants the bytes of a handle, in base64.
func (r *run) mediaData(body json.RawMessage, reply func(bool, json.RawMessage)) {
	var name string
	if json.Unmarshal(body, &name) == nil {
		if k, ok := r.held(name); ok {
			if len(k.data)+frameRoom > wire.MaxFrame {
				reply(false, mustJSON(fmt.Sprintf("the media has %d MB, too many for a script: emit its handle instead", len(k.data)>>20)))
				return
			}
			reply(true, mustJSON(k.data))
			return
		}
	}
	reply(false, mustJSON("no such media in this run: pass the object that a tool of this run returned"))
}

// unhandle gives the block that an emitted handle stands for, if it is one.
func (r *run) unhandle(block json.RawMessage) (json.RawMessage, bool) {
	var h handle
	if json.Unmarshal(block, &h) == nil && h.Media != "" {
		if k, ok := r.held(h.Media); ok {
			return k.block, true
		}
	}
	return block, false
}
