package worker

// #include "reject.h"
import "C"

import (
	"reflect"
	"strings"

	v8 "github.com/tommie/v8go"
)

// watchRejections makes V8 tell of promises that nobody handles.
func watchRejections(iso *v8.Isolate) {
	// v8go keeps V8's isolate to itself.
	C.watch_rejections(reflect.ValueOf(iso).Elem().FieldByName("ptr").UnsafePointer())
}

// rejections are the messages of the promises that were rejected and that nobody
// handles.
func rejections() []string {
	var out []string
	for i := range int(C.rejection_count()) {
		text := C.GoString(C.rejection_text(C.int(i)))
		out = append(out, strings.TrimPrefix(text, "Uncaught "))
	}
	return out
}
