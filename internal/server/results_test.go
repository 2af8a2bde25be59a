package server

import (
	"math"
	"testing"
)

func TestPage(t *testing.T) {
	for _, tt := range []struct {
		text          string
		offset, limit int
		part          string
		next          int
	}{
		{"abcdefgh", 0, 5, "abcde", 5},
		{"abcdefgh", 5, math.MaxInt, "fgh", 8},
		{"abcdefgh", math.MaxInt, math.MaxInt, "", 8},
		{"aäöü", 2, 4, "öü", 7}, // not within a character
	} {
		if part, next := page(tt.text, tt.offset, tt.limit); part != tt.part || next != tt.next {
			t.Errorf("page(%q, %d, %d) = %q, %d, want %q, %d", tt.text, tt.offset, tt.limit, part, next, tt.part, tt.next)
		}
	}
}
