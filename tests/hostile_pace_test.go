package tests

import (
	"math"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// paceSpin is the processor time of one measurement of the machine's pace.
	paceSpin = 50 * time.Millisecond
	// maxPace is the busiest machine that deadlines are stretched for.
	maxPace = 8
	// workerNice is a worker's priority: the pace is that of a thread like it.
	workerNice = 5
)

// machinePace is how many times longer a worker's work takes here and now than on a
// quiet machine: the wall time of a computing thread by its processor time. Deadlines
// are multiplied with it, so that they can be tight where nothing else runs.
func machinePace() int {
	slowest := make(chan float64, runtime.NumCPU())
	for range runtime.NumCPU() {
		go func() {
			runtime.LockOSThread() // not unlocked: the thread ends, with its low priority
			_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), workerNice)
			start, begin := time.Now(), threadTime()
			for threadTime()-begin < paceSpin {
			}
			slowest <- float64(time.Since(start)) / float64(threadTime()-begin)
		}()
	}
	pace := 1.0
	for range runtime.NumCPU() {
		pace = max(pace, <-slowest)
	}
	return int(min(math.Round(pace), maxPace))
}

// threadTime is the processor time of the calling thread.
func threadTime() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) // can't fail
	return time.Duration(ts.Nano())
}
