package main

import "runtime"

// ballastSize is how much garbage may gather, in bytes.
const ballastSize = 8 << 20

// ballast is memory that is never read or written, so nothing is behind it, until it
// is dropped. But the collector counts it as living: it then runs after as much
// garbage again, and not after four megabytes. The SDK leaves 160 KB with each
// request, in decoders of 32 KB.
func ballast() (drop func()) {
	b := make([]byte, ballastSize)
	return func() { runtime.KeepAlive(b) }
}
