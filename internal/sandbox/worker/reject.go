package worker

// #include "reject.h"
import "C"

import (
	"fmt"
	"reflect"
	"strings"

	v8 "github.com/tommie/v8go"

	"codemode-mcp/internal/script"
)

// watchRejections makes V8 tell of promises that nobody handles.
func watchRejections(iso *v8.Isolate) {
	// v8go keeps V8's isolate to itself.
	C.watch_rejections(reflect.ValueOf(iso).Elem().FieldByName("ptr").UnsafePointer())
}

// rejections are the messages of the promises that were rejected and that nobody
// handles.
func (r *runner) rejections() []string {
	var out []string
	for i := range int(C.rejection_count()) {
		text := C.GoString(C.rejection_text(C.int(i)))
		text = strings.TrimPrefix(text, "Uncaught ")
		if line := int(C.rejection_line(C.int(i))); line > 0 {
			at := fmt.Sprintf("%d:%d", line, int(C.rejection_column(C.int(i))))
			text += " (at " + script.Shown + ":" + r.script.prepared.Place(at) + ")"
		}
		out = append(out, text)
	}
	return out
}
