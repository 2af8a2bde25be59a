package worker

import (
	"fmt"
	"sync"

	v8 "github.com/tommie/v8go"
)

// target guards the isolate that Terminate is meant for: TerminateExecution
// races Dispose in v8go.
type target struct {
	mu  sync.Mutex
	iso *v8.Isolate // guarded by mu
}

func (t *target) set(iso *v8.Isolate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.iso = iso
}

func (t *target) clear() { t.set(nil) }

func (t *target) terminate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.iso != nil {
		t.iso.TerminateExecution()
	}
}

// prelude is compiled once for each isolate; from the second one on out of V8's
// code cache.
type prelude struct {
	source string
	cache  *v8.CompilerCachedData
}

func (p *prelude) compile(iso *v8.Isolate) (*v8.UnboundScript, error) {
	return iso.CompileUnboundScript(p.source, preludeOrigin, v8.CompileOptions{CachedData: p.cache})
}

// runner is one isolate with its context and the prelude run: it runs one script.
type runner struct {
	w       *worker
	iso     *v8.Isolate
	ctx     *v8.Context
	bridge  *v8.Function // host, as the isolate calls it
	prepare *v8.Function
	started *v8.Function
	settle  *v8.Function
	fire    *v8.Function
	code    *v8.UnboundScript // the prelude's
	script  scriptState
}

func (w *worker) newRunner() (*runner, error) {
	iso := v8.NewIsolate(v8.WithResourceConstraints(0, w.memory))
	r := &runner{w: w, iso: iso, ctx: v8.NewContext(iso)}
	code, err := w.prelude.compile(iso)
	if err != nil {
		return nil, fmt.Errorf("compile prelude: %w", err)
	}
	setup, err := code.Run(r.ctx)
	if err != nil {
		return nil, fmt.Errorf("run prelude: %w", err)
	}
	r.bridge = v8.NewFunctionTemplateWithError(iso, r.host).GetFunction(r.ctx)
	fn, err := setup.AsFunction()
	if err != nil {
		return nil, fmt.Errorf("run prelude: %w", err)
	}
	made, err := fn.Call(v8.Undefined(iso), r.bridge)
	if err != nil {
		return nil, fmt.Errorf("run prelude: %w", err)
	}
	obj, err := made.AsObject()
	if err != nil {
		return nil, fmt.Errorf("run prelude: %w", err)
	}
	for name, f := range map[string]**v8.Function{"prepare": &r.prepare, "started": &r.started, "settle": &r.settle, "fire": &r.fire} {
		if *f, err = function(obj, name); err != nil {
			return nil, err
		}
	}
	r.code = code
	if err := r.warm(obj); err != nil {
		return nil, fmt.Errorf("warm up: %w", err)
	}
	watchRejections(iso)
	w.current.set(iso)
	return r, nil
}

// warm takes the engine's first-time costs before the script comes: measured, it
// takes half a millisecond off a run.
func (r *runner) warm(prelude *v8.Object) error {
	warm, err := function(prelude, "warm")
	if err != nil {
		return err
	}
	fn, err := r.ctx.RunScript("async()=>{return 1}", preludeOrigin)
	if err != nil {
		return err
	}
	_, err = warm.Call(v8.Undefined(r.iso), fn)
	return err
}

func function(o *v8.Object, name string) (*v8.Function, error) {
	v, err := o.Get(name)
	if err != nil {
		return nil, fmt.Errorf("prelude function %s: %w", name, err)
	}
	f, err := v.AsFunction()
	if err != nil {
		return nil, fmt.Errorf("prelude function %s: %w", name, err)
	}
	return f, nil
}

// close frees the isolate. The worker's target must not point at it any more.
func (r *runner) close() {
	r.ctx.Close()
	r.iso.Dispose()
}
