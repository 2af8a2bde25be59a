package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"codemode-mcp/internal/sandbox/wire"
)

// outOfMemory are the last words of V8 and of Go when memory ran out.
var outOfMemory = regexp.MustCompile(`(?i)out of memory|cannot allocate memory|allocation failed|bad_alloc|pthread_create failed|heap limit|Oilpan: Large allocation|invalid array length Allocation`)

// crash says what a worker that is gone died of.
func (p *process) crash() Outcome {
	p.mu.Lock()
	fault := p.fault
	p.mu.Unlock()
	if fault != nil {
		return Outcome{End: Crashed, Detail: fault.Error()}
	}
	words := p.output.String()
	detail := fmt.Sprintf("%v: %s", p.cmd.ProcessState, cut(strings.TrimSpace(words), 2000))
	if outOfMemory.MatchString(words) {
		return Outcome{End: OutOfMemory, Detail: detail}
	}
	return Outcome{End: Crashed, Detail: detail}
}

func decodeInfo(text []byte) (wire.Info, error) {
	var info wire.Info
	if err := json.Unmarshal(text, &info); err != nil {
		return info, fmt.Errorf("read ready: %w", err)
	}
	return info, nil
}

// cut bounds a foreign text, in bytes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
