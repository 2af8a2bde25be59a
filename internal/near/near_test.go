package near

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"", "ab", 2}, {"read", "raed", 1}, {"read", "reed", 1}, {"read", "read_file", 5},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"x", strings.Repeat("y", MaxName+1), MaxName + 1},
	} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %.20q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("%.20q, %q: %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
