package main

// ballast is never read or written, so no memory is behind it. But the collector
// counts it as living: it then runs after as much garbage again, and not after four
// megabytes. The SDK leaves 160 KB with each request, in decoders of 32 KB.
var ballast []byte

// ballastSize is how much garbage may gather, in bytes.
const ballastSize = 8 << 20
