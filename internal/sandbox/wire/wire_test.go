package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 20<<10) // several chunks
	tests := []struct {
		name  string
		kind  Kind
		id    uint32
		parts [][]byte
	}{
		{"no parts", Ready, 0, [][]byte{}},
		{"empty part", Log, 0, [][]byte{{}}},
		{"call", Call, 7, [][]byte{[]byte("r"), []byte("workspace.grep"), []byte(`{"pattern":"x"}`)}},
		{"large", Done, 0, [][]byte{[]byte("ok"), large}},
		{"max id", Reply, 1<<32 - 1, [][]byte{{0}}},
	}
	var all []byte
	for _, tt := range tests {
		b := Append(nil, tt.kind, tt.id, tt.parts...)
		if got, want := len(b), Size(tt.parts...); got != want {
			t.Errorf("%s: encoded %d bytes, Size says %d", tt.name, got, want)
		}
		all = append(all, b...)
	}
	readers := map[string]io.Reader{
		"whole":        bytes.NewReader(all),
		"half":         iotest.HalfReader(bytes.NewReader(all)),
		"byte by byte": iotest.OneByteReader(bytes.NewReader(all)),
		"data and EOF": iotest.DataErrReader(bytes.NewReader(all)),
	}
	for how, src := range readers {
		r := NewReader(src, 1<<20)
		for _, tt := range tests {
			f, err := r.Next()
			if err != nil {
				t.Fatalf("%s, %s: %v", how, tt.name, err)
			}
			parts, err := f.Parts(len(tt.parts))
			if err != nil {
				t.Fatalf("%s, %s: %v", how, tt.name, err)
			}
			if f.Kind != tt.kind || f.ID != tt.id || !cmp.Equal(parts, tt.parts) {
				t.Errorf("%s, %s: got %c %d %d parts", how, tt.name, f.Kind, f.ID, len(parts))
			}
		}
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: at the end got %v, want io.EOF", how, err)
		}
	}
}

func TestHostileFrames(t *testing.T) {
	tests := []struct {
		name string
		in   []byte
		want error
	}{
		{"cut header", []byte{1, 0, 0}, io.ErrUnexpectedEOF},
		{"cut body", Append(nil, Log, 0, []byte("x"))[:headerSize+2], io.ErrUnexpectedEOF},
		{"announces 4 GiB", []byte{255, 255, 255, 255, 'D', 0, 0, 0, 0}, ErrTooLarge},
		{"one above the limit", []byte{1, 4, 0, 0, 'D', 0, 0, 0, 0}, ErrTooLarge},
		{"unknown kind", []byte{0, 0, 0, 0, 'Z', 0, 0, 0, 0}, ErrKind},
	}
	for _, tt := range tests {
		if _, err := NewReader(bytes.NewReader(tt.in), 1024).Next(); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestPartsRefuseLies(t *testing.T) {
	tests := []struct {
		name string
		body []byte
		n    int
	}{
		{"too few", Append(nil, Log, 0, []byte("a"))[headerSize:], 2},
		{"too many", Append(nil, Log, 0, []byte("a"), []byte("b"))[headerSize:], 1},
		{"length past the end", []byte{9, 0, 0, 0, 'a'}, 1},
		{"length that overflows", []byte{255, 255, 255, 255, 'a'}, 1},
		{"more parts than the protocol has", nil, MaxParts + 1},
	}
	for _, tt := range tests {
		if _, err := (Frame{Body: tt.body}).Parts(tt.n); !errors.Is(err, ErrParts) {
			t.Errorf("%s: got %v, want ErrParts", tt.name, err)
		}
	}
}

// FuzzReader feeds a stream that either side may send. What decodes must encode
// to the same bytes again.
func FuzzReader(f *testing.F) {
	f.Add(Append(nil, Call, 1, []byte("c"), []byte("a.b"), []byte("{}")), 3)
	f.Add(Append(Append(nil, Log, 0, []byte("log"), []byte("hi")), Done, 0, []byte("ok"), []byte("1")), 2)
	f.Add([]byte{255, 255, 255, 255, 'D', 0, 0, 0, 0, 1, 2, 3}, 1)
	f.Fuzz(func(t *testing.T, in []byte, n int) {
		const limit = 1 << 16
		r := NewReader(bytes.NewReader(in), limit)
		off := 0
		for {
			fr, err := r.Next()
			if err != nil {
				return
			}
			if len(fr.Body) > limit {
				t.Fatalf("body of %d bytes passed the limit", len(fr.Body))
			}
			end := off + headerSize + len(fr.Body)
			if parts, err := fr.Parts(n & (MaxParts - 1)); err == nil {
				if got := Append(nil, fr.Kind, fr.ID, parts...); !bytes.Equal(got, in[off:end]) {
					t.Fatalf("encoded again: %x, want %x", got, in[off:end])
				}
			}
			off = end
		}
	})
}
