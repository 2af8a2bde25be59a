package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"codemode-mcp/internal/sandbox/worker"
)

// workerCommand is hidden: the server starts it, with descriptors that nobody
// else has.
const workerCommand = "worker"

func runWorker(args []string, stderr io.Writer) int {
	fs := flag.NewFlagSet(workerCommand, flag.ContinueOnError)
	fs.SetOutput(stderr)
	frames := fs.Int("frames-fd", -1, "descriptor of the frame socket")
	control := fs.Int("control-fd", -1, "descriptor of the control pipe")
	image := fs.Int("image-fd", -1, "descriptor of what workers share")
	memory := fs.Int("memory-mb", 64, "a script's memory in MB")
	jitless := fs.Bool("jitless", false, "run V8 without a JIT")
	bestEffort := fs.Bool("best-effort", false, "run scripts also where a sandbox layer can't be had")
	if err := fs.Parse(args); err != nil {
		return exitUsage
	}
	if *frames < 3 || *control < 3 {
		fmt.Fprintln(stderr, "Error: worker is started by the server only\nTry: codemode-mcp run FILE")
		return exitUsage
	}
	var shared *os.File
	if *image >= 3 {
		shared = os.NewFile(uintptr(*image), "image")
	}
	return worker.Main(worker.Options{
		Frames:   os.NewFile(uintptr(*frames), "frames"),
		Control:  os.NewFile(uintptr(*control), "control"),
		Image:    shared,
		MemoryMB: *memory,
		Jitless:  *jitless, BestEffort: *bestEffort,
	})
}
