package lockdown

import (
	"fmt"
	"os"
	"runtime"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

var actions = map[verdict]seccomp.Action{
	allow:  seccomp.ActionAllow,
	kill:   seccomp.ActionKillProcess,
	absent: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS),
}

var operations = map[test]seccomp.Operation{
	equal:     seccomp.Equal,
	bitsSet:   seccomp.BitsSet,
	bitsClear: seccomp.BitsNotSet,
}

// filter installs the table for all threads of the process. It can't be undone.
func filter(jitless bool) error {
	p := policy(rules(runtime.GOARCH, jitless), uint64(os.Getpid()))
	err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: p})
	if err != nil {
		return fmt.Errorf("install system call filter: %w", err)
	}
	return nil
}

// policy groups the rules by verdict, as the library wants them. The order of
// the groups does not matter: no call has two verdicts.
func policy(list []rule, pid uint64) seccomp.Policy {
	p := seccomp.Policy{DefaultAction: seccomp.ActionErrno}
	for _, v := range []verdict{allow, kill, absent} {
		g := seccomp.SyscallGroup{Action: actions[v]}
		for _, r := range list {
			if r.verdict != v {
				continue
			}
			if r.when == nil {
				g.Names = append(g.Names, r.call)
				continue
			}
			n := seccomp.NameWithConditions{Name: r.call}
			for _, c := range r.when {
				if c.self {
					c.value = pid
				}
				n.Conditions = append(n.Conditions, seccomp.Condition{Argument: c.arg, Operation: operations[c.test], Value: c.value})
			}
			g.NamesWithCondtions = append(g.NamesWithCondtions, n)
		}
		p.Syscalls = append(p.Syscalls, g)
	}
	return p
}
