package worker

// int codemode_small_stacks(unsigned long size);
// void codemode_thrifty_malloc(void);
import "C"

import (
	"fmt"
	"syscall"
)

// threadStack is the stack of threads that start from now on, in bytes. Scripts
// run on the main thread, whose stack is the system's; the others only schedule,
// collect and compile.
const threadStack = 512 << 10

// saveMemory makes later threads and freed memory cheap under a limit on data.
func saveMemory() error {
	C.codemode_thrifty_malloc()
	if errno := C.codemode_small_stacks(threadStack); errno != 0 {
		return fmt.Errorf("set thread stacks: %w", syscall.Errno(errno))
	}
	return nil
}
