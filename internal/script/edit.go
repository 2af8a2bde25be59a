package script

import "strings"

// edit replaces the bytes [at, end) of a body by text.
type edit struct {
	at, end int
	text    string
}

// apply makes the edits, which stand by ascending offset and do not overlap.
func apply(body string, edits []edit) string {
	if len(edits) == 0 {
		return body
	}
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.WriteString(body[from:e.at])
		b.WriteString(e.text)
		from = e.end
	}
	b.WriteString(body[from:])
	return b.String()
}

// unapply leads an offset of the edited body back to the body.
func unapply(edits []edit, offset int) int {
	shift := 0 // how much longer the edited text is, up to here
	for _, e := range edits {
		at := e.at + shift
		if offset < at {
			break
		}
		if offset < at+len(e.text) {
			return e.at
		}
		shift += len(e.text) - (e.end - e.at)
	}
	return offset - shift
}
