// Command report reads the output of "go test -json", prints what failed with
// its output, and says at the end how many tests passed. It exits with 1 when
// something failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
	Elapsed    float64
}

func main() {
	os.Exit(report())
}

func report() int {
	passed, failed, skipped := 0, 0, 0
	output := map[string]*strings.Builder{}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Println(in.Text()) // not of go test: show it
			continue
		}
		key := e.Package + e.ImportPath + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if output[key] == nil {
				output[key] = &strings.Builder{}
			}
			output[key].WriteString(e.Output)
		case "pass":
			if e.Test != "" {
				passed++
			} else {
				fmt.Printf("ok    %s (%.1fs)\n", e.Package, e.Elapsed)
			}
			delete(output, key)
		case "skip":
			if e.Test != "" {
				skipped++
				fmt.Printf("skip  %s: %s\n", key, strings.TrimSpace(output[key].String()))
			}
		case "fail", "build-fail":
			failed++
			fmt.Printf("FAIL  %s\n", key)
			if b := output[key]; b != nil {
				fmt.Print(b.String())
			}
		}
	}
	if err := in.Err(); err != nil {
		fmt.Println("read the test output:", err)
		failed++
	}
	fmt.Printf("%d tests passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 || passed == 0 {
		return 1
	}
	return 0
}
