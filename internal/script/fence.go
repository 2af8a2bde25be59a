package script

import (
	"strings"
)

// fences finds the code in a source that is Markdown. What is not code becomes
// spaces, so that every position stays where it was. A source without a fence
// comes back as it is.
//
// The first word after an opening fence is the language; other says which one
// when it is none that runs here. blocks counts the fenced blocks.
func fences(source string) (code, other string, blocks int) {
	var b strings.Builder
	fence := "" // of the block that is open
	for line := range strings.Lines(source) {
		text := strings.TrimSpace(line)
		switch {
		case fence == "" && isFence(text):
			fence = text[:3]
			blocks++
			tag, _, _ := strings.Cut(strings.TrimLeft(text, fence[:1]), " ")
			if tag = strings.ToLower(strings.Trim(tag, "{}.")); !languages[tag] && other == "" {
				other = tag
			}
			blank(&b, line)
		case fence != "" && strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == "":
			fence = ""
			blank(&b, line)
		case fence == "":
			blank(&b, line)
		default:
			b.WriteString(line)
		}
	}
	if blocks == 0 {
		return source, "", 0
	}
	return b.String(), other, blocks
}

// languages are the tags of a fence that may run here.
var languages = map[string]bool{
	"": true, "js": true, "javascript": true, "mjs": true, "cjs": true, "jsx": true, "node": true, "ecmascript": true,
	"ts": true, "typescript": true, "tsx": true, "mts": true, "script": true, "code": true, "text": true,
}

func isFence(text string) bool {
	return strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
}

// startsFenced reports whether the first line with text, comments aside, opens a
// fence. A program can begin like that too, with an empty template that is called
// as a tag; it could only throw.
func startsFenced(source string) bool {
	for line := range strings.Lines(source) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "#") {
			return isFence(text)
		}
	}
	return false
}

// blank writes spaces for a line, and its end.
func blank(b *strings.Builder, line string) {
	for i := 0; i < len(line); {
		if n := lineEnd(line[i:]); n > 0 {
			b.WriteString(line[i : i+n])
			i += n
			continue
		}
		b.WriteByte(' ')
		i++
	}
}
