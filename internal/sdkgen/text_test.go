package sdkgen

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	tests := []struct{ in, want string }{
		{`plain`, `"plain"`},
		{`a"b\c`, `"a\"b\\c"`},
		{"a\nb\r\tc\x00", `"a\nb\r\tc\u0000"`},
		{"\u2028\u2029\u202e\ufeff", `"\u2028\u2029\u202e\ufeff"`},
		{"\U000e0041😀ü", `"\u{e0041}😀ü"`},
		{"\xff", `"\ufffd"`},
	}
	for _, tt := range tests {
		if got := quote(tt.in); got != tt.want {
			t.Errorf("quote(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestProseLines(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{" \r\n\t ", ""},
		{"one\r\ntwo\rthree\u2028four", "one|two|three|four"},
		{"a\n\n\n\nb\n", "a||b"},
		{"end */ of", `end *\/ of`},
		{"*\x00/", `*\/`},
		{"**/", `**\/`},
		{"@param x", `\@param x`},
		{"see (@user), a@b.c", `see (\@user), a@b.c`},
		{"\u202eevil\u2066", "evil"},
		{strings.Repeat("é", 30), strings.Repeat("é", 24) + "… [cut: 30 characters in all]"},
	}
	const maxChars = 24
	for _, tt := range tests {
		if got := strings.Join(proseLines(tt.in, maxChars), "|"); got != tt.want {
			t.Errorf("proseLines(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
