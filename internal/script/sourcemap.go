package script

import (
	"encoding/json"
	"strings"
)

// mappings takes the mappings out of a source map. They stay encoded: most
// scripts never need a position.
func mappings(text []byte) string {
	var m struct {
		Mappings string `json:"mappings"`
	}
	if json.Unmarshal(text, &m) != nil {
		return ""
	}
	return m.Mappings
}

// segment is one mapping: lines from 0, columns from 0 in UTF-16 units.
type segment struct{ line, column, fromLine, fromColumn int }

// lookup leads a byte offset of the output back to one of the input, by the last
// mapping at or before it on its line.
func lookup(vlq, output, input string, offset int) (int, bool) {
	line, column := units(output, offset)
	var best segment
	found := false
	decode(vlq, func(s segment) bool {
		if s.line > line || s.line == line && s.column > column {
			return false
		}
		if s.line == line || !found || s.line >= best.line {
			best, found = s, true
		}
		return true
	})
	if !found {
		return 0, false
	}
	return offsetAt(input, best.fromLine+1, best.fromColumn+1), true
}

// units gives the line and the column of a byte offset, both from 0, the column
// in UTF-16 units.
func units(s string, offset int) (line, column int) {
	for i, r := range s {
		if i >= offset {
			break
		}
		if r == '\n' { // esbuild ends its lines with nothing else
			line, column = line+1, 0
			continue
		}
		column += width16(r)
	}
	return line, column
}

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// decode walks over the mappings of a source map, version 3, with one source.
func decode(vlq string, visit func(segment) bool) {
	var s segment
	var fields [5]int
	n := 0
	value, shift := 0, 0
	flush := func() bool {
		ok := true
		if n >= 4 {
			s.column += fields[0]
			s.fromLine += fields[2]
			s.fromColumn += fields[3]
			ok = visit(s)
		} else if n == 1 {
			s.column += fields[0]
		}
		n = 0
		return ok
	}
	for i := range len(vlq) {
		switch c := vlq[i]; c {
		case ',':
			if !flush() {
				return
			}
		case ';':
			if !flush() {
				return
			}
			s.line, s.column = s.line+1, 0
		default:
			digit := strings.IndexByte(base64, c)
			if digit < 0 || n >= len(fields) || shift > 25 {
				return
			}
			value |= digit & 31 << shift
			shift += 5
			if digit&32 == 0 {
				if fields[n] = value >> 1; value&1 == 1 {
					fields[n] = -fields[n]
				}
				n++
				value, shift = 0, 0
			}
		}
	}
	flush()
}
