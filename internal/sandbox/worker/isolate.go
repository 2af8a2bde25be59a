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

// prelude is there when an isolate is made, out of the snapshot. Before there is
// one, it is compiled for each isolate; from the second on out of V8's code cache.
type prelude struct {
	cache *v8.CompilerCachedData
	made  bool // contexts have it
}

func (p *prelude) compile(iso *v8.Isolate) (*v8.UnboundScript, error) {
	return iso.CompileUnboundScript(preludeSource(), preludeOrigin, v8.CompileOptions{CachedData: p.cache})
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
	code    *v8.UnboundScript // the prelude's, when it was compiled here
	script  scriptState
}

func (w *worker) newRunner() (*runner, error) {
	iso := v8.NewIsolate(v8.WithResourceConstraints(0, w.memory))
	r := &runner{w: w, iso: iso, ctx: v8.NewContext(iso)}
	if !w.prelude.made {
		if err := r.runPrelude(); err != nil {
			return nil, err
		}
	}
	obj, err := r.link()
	if err != nil {
		return nil, fmt.Errorf("link prelude: %w", err)
	}
	for name, f := range map[string]**v8.Function{"prepare": &r.prepare, "started": &r.started, "settle": &r.settle, "fire": &r.fire} {
		if *f, err = function(obj, name); err != nil {
			return nil, err
		}
	}
	if err := r.warm(obj); err != nil {
		return nil, fmt.Errorf("warm up: %w", err)
	}
	watchRejections(iso)
	w.current.set(iso)
	return r, nil
}

func (r *runner) runPrelude() (err error) {
	if r.code, err = r.w.prelude.compile(r.iso); err != nil {
		return fmt.Errorf("compile prelude: %w", err)
	}
	if _, err = r.code.Run(r.ctx); err != nil {
		return fmt.Errorf("run prelude: %w", err)
	}
	return nil
}

// link gives the prelude its way to the host and takes its functions.
func (r *runner) link() (*v8.Object, error) {
	r.bridge = v8.NewFunctionTemplateWithError(r.iso, r.host).GetFunction(r.ctx)
	made, err := r.ctx.Global().Get(preludeGlobal)
	if err != nil {
		return nil, err
	}
	obj, err := made.AsObject()
	if err != nil {
		return nil, err
	}
	link, err := function(obj, "link")
	if err != nil {
		return nil, err
	}
	_, err = link.Call(v8.Undefined(r.iso), r.bridge)
	return obj, err
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

// readZone makes ICU read the time zone, while files can still be opened.
func (r *runner) readZone() error {
	_, err := r.ctx.RunScript("new Date(0).toString(); undefined", preludeOrigin)
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
