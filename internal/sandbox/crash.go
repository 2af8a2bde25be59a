package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	"codemode-mcp/internal/sandbox/wire"
)

// outOfMemory are the last words of V8, of Go and of ICU (which takes a failed
// allocation for a pointer) when memory ran out.
var outOfMemory = regexp.MustCompile(`(?i)out of memory|cannot allocate memory|allocation failed|bad_alloc|pthread_create failed|heap limit|Oilpan: Large allocation|invalid array length Allocation|Assertion '_M_get\(\) != nullptr' failed`)

// idleMB is less than what any worker holds resident before it meets a script.
const idleMB = 32

// ranOut reports whether a worker that ended by itself had filled its memory: not
// every library has last words when an allocation fails.
func (p *process) ranOut() bool {
	usage, ok := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok || runtime.GOOS != "linux" { // elsewhere Maxrss is not in KB
		return false
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	killed := ok && status.Signaled() && status.Signal() == syscall.SIGKILL
	return !killed && !p.cmd.ProcessState.Success() && usage.Maxrss>>10 >= int64(p.memoryMB+idleMB)
}

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
	if outOfMemory.MatchString(words) || p.ranOut() {
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
