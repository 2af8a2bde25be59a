package worker

import (
	"bytes"
	"fmt"

	"codemode-mcp/internal/sandbox/wire"
)

// rehearsal is a script that does what most scripts do, so that V8 has compiled
// those parts of the prelude when the code cache is made of it.
const rehearsal = `
console.log("x", {a: [1, "s", null]}, new Date(0));
try { await tools.a.b({x: 1}); await cc.callTool("a.c"); } catch (e) { console.error(e.message); }
return {a: 1, b: [1, {c: true}], d: "s"};`

// fillCache runs the rehearsal against a host that is not there and keeps the
// compiled prelude for all later isolates.
func (w *worker) fillCache() error {
	answers := wire.Append(nil, wire.Reply, 1, []byte("ok"), []byte(`{"n":1}`))
	answers = wire.Append(answers, wire.Reply, 2, []byte("err"), []byte(`{"message":"m","tool":"a.c"}`))
	stage := newWorker(&scripted{Reader: bytes.NewReader(answers)}, int(w.memory>>20))
	r, err := stage.newRunner()
	if err != nil {
		return fmt.Errorf("rehearse: %w", err)
	}
	defer r.close()
	const bound = 1 << 20
	meta := fmt.Sprintf(`{"maxArgs":%d,"maxResult":%d,"maxLog":%d}`, bound, bound, bound)
	run := wire.Append(nil, wire.Run, 0, []byte(meta), []byte(rehearsal), []byte("{}"), []byte(`[{"server":"a","tools":["b"]}]`))
	f, err := wire.NewReader(bytes.NewReader(run), wire.MaxFrame).Next()
	if err != nil {
		return err
	}
	if err := r.run(f); err != nil {
		return fmt.Errorf("rehearse: %w", err)
	}
	w.prelude.cache = r.code.CreateCodeCache()
	if w.snapshots { // which changes what a code cache fits
		return nil
	}
	w.parts = stage.parts
	return r.rehearseParts()
}

// scripted is a host that says what it was told to and listens to nothing.
type scripted struct{ *bytes.Reader }

func (scripted) Write(p []byte) (int, error) { return len(p), nil }
