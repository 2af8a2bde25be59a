// Package limits owns every bound of a script run: its default, its range, the
// environment variable that sets it, and the budget that a run spends.
//
// It also cuts results so that what remains is valid JSON. It must import no
// other package of this module.
package limits

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/kelseyhightower/envconfig"
)

// Limits bound script runs. Pass it by value: one set is shared by all runs.
//
// The tags are the single source: envconfig reads env and default, [Load] holds
// each value to range, and [Table] prints all of them for the README. What is
// tagged live:"no" changes with a restart only; see [Limits.Reload].
type Limits struct {
	Enabled          bool `envconfig:"CODE_MODE_ENABLED" default:"true" doc:"offer execute_script at all" live:"no"`
	TimeoutSeconds   int  `envconfig:"CODE_MODE_TIMEOUT_SECONDS" default:"30" range:"1..300" doc:"wall time of a run, in seconds"`
	MaxToolCalls     int  `envconfig:"CODE_MODE_MAX_TOOL_CALLS" default:"50" range:"1..500" doc:"tool calls of a run"`
	MaxMemoryMB      int  `envconfig:"CODE_MODE_MAX_MEMORY_MB" default:"64" range:"8..512" doc:"a script's heap, strings and buffers together, in MB" live:"no"`
	MaxResultChars   int  `envconfig:"CODE_MODE_MAX_RESULT_CHARS" default:"100000" range:"1000..1000000" doc:"a result in characters of JSON; a longer one is cut"`
	MaxConcurrency   int  `envconfig:"CODE_MODE_MAX_CONCURRENCY" default:"0" range:"1..1024" doc:"live runs; default 8 x CPUs, at least 64" live:"no"`
	MaxTotalMemoryMB int  `envconfig:"CODE_MODE_MAX_TOTAL_MEMORY_MB" default:"0" range:"128..1048576" doc:"all workers together, in MB; default half of the machine or container" live:"no"`
	MaxParallelCalls int  `envconfig:"CODE_MODE_MAX_PARALLEL_CALLS" default:"64" range:"1..256" doc:"tool calls of a run in flight at once"`
	CallSeconds      int  `envconfig:"CODE_MODE_CALL_TIMEOUT_SECONDS" default:"25" range:"1..300" doc:"wall time of one tool call, in seconds"`
	HumanSeconds     int  `envconfig:"CODE_MODE_HUMAN_SECONDS" default:"300" range:"0..3600" doc:"how long a run may wait for a human in all, besides its wall time, in seconds"`
	MaxLogKB         int  `envconfig:"CODE_MODE_MAX_LOG_KB" default:"64" range:"1..1024" doc:"console output of a run, in KB"`
	MaxScriptKB      int  `envconfig:"CODE_MODE_MAX_SCRIPT_KB" default:"256" range:"1..4096" doc:"a script's source, in KB"`
	MaxStateKB       int  `envconfig:"CODE_MODE_MAX_STATE_KB" default:"256" range:"1..4096" doc:"the state of a session, in KB"`
	SessionMinutes   int  `envconfig:"CODE_MODE_SESSION_MINUTES" default:"1440" range:"1..10080" doc:"how long an unused session handle lasts, in minutes" live:"no"`
	MaxArgsKB        int  `envconfig:"CODE_MODE_MAX_ARGS_KB" default:"4096" range:"1..16384" doc:"the arguments of a run, and of one tool call, in KB"`
	MaxToolResultKB  int  `envconfig:"CODE_MODE_MAX_TOOL_RESULT_KB" default:"16384" range:"64..32768" doc:"one tool call's result, in KB"`
	QueueSeconds     int  `envconfig:"CODE_MODE_QUEUE_SECONDS" default:"10" range:"0..300" doc:"how long a run may wait for a free worker, in seconds" live:"no"`
}

// Load reads the limits from the environment. The error names the variable, the
// value and the range.
func Load() (Limits, error) {
	for f := range fields() { // an empty variable is an unset one, as in a shell
		if env := f.Tag.Get("envconfig"); os.Getenv(env) == "" {
			os.Unsetenv(env)
		}
	}
	var l Limits
	if err := envconfig.Process("", &l); err != nil {
		return Limits{}, parseError(err)
	}
	if err := l.checkSet(func(env string) bool { return os.Getenv(env) != "" }); err != nil {
		return Limits{}, err
	}
	if l.MaxTotalMemoryMB == 0 {
		l.MaxTotalMemoryMB = max(128, machineMB()/2)
	}
	return l, nil
}

// Set changes one limit by its environment variable's name, as a config file
// does, and checks it like [Load].
func (l *Limits) Set(env string, value string) error {
	v := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("envconfig") != env {
			continue
		}
		if f.Type.Kind() == reflect.Bool {
			b, err := strconv.ParseBool(value)
			if err != nil {
				return fmt.Errorf("%s=%q is not a boolean: want true or false", env, value)
			}
			v.Field(i).SetBool(b)
			return nil
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%s=%q is not a whole number", env, value)
		}
		v.Field(i).SetInt(n)
		return checkRange(f, n)
	}
	return fmt.Errorf("%s is not a limit", env)
}

// Reload gives the limits in force after a change to next, and the variables whose
// new value waits for a restart: those that the workers were made with.
func (l Limits) Reload(next Limits) (now Limits, waiting []string) {
	old, out := reflect.ValueOf(l), reflect.ValueOf(&next).Elem()
	for i := range out.NumField() {
		f := out.Type().Field(i)
		if f.Tag.Get("live") == "no" && !old.Field(i).Equal(out.Field(i)) {
			out.Field(i).Set(old.Field(i))
			waiting = append(waiting, f.Tag.Get("envconfig"))
		}
	}
	return next, waiting
}

// Highest is the upper end of a limit's range, by its variable. The tests of
// every limit's ends ask it, so that they know no figures of their own.
func Highest(env string) int {
	for f := range fields() {
		if f.Tag.Get("envconfig") == env {
			_, high := bounds(f)
			return int(high)
		}
	}
	panic("BUG: no limit " + env)
}

// Names lists the environment variables, in the order of the table.
func Names() []string {
	var out []string
	for f := range fields() {
		out = append(out, f.Tag.Get("envconfig"))
	}
	return out
}

// Timeout is the wall time of a run.
func (l Limits) Timeout() time.Duration { return time.Duration(l.TimeoutSeconds) * time.Second }

// CallTimeout is the wall time of one tool call.
func (l Limits) CallTimeout() time.Duration { return time.Duration(l.CallSeconds) * time.Second }

// HumanWait is how long a run, and a call by itself, may wait for a human.
func (l Limits) HumanWait() time.Duration { return time.Duration(l.HumanSeconds) * time.Second }

// SessionLife is how long an unused session handle lasts.
func (l Limits) SessionLife() time.Duration { return time.Duration(l.SessionMinutes) * time.Minute }

// Workers is how many workers there may be, when each needs extra MB besides a
// script's memory. The error says which limits contradict each other.
func (l Limits) Workers(extra int) (int, error) {
	each := l.MaxMemoryMB + extra
	if l.MaxTotalMemoryMB < each {
		return 0, fmt.Errorf("CODE_MODE_MAX_TOTAL_MEMORY_MB=%d has no room for one worker: CODE_MODE_MAX_MEMORY_MB=%d and %d MB of the runtime make %d (raise the one or lower the other)",
			l.MaxTotalMemoryMB, l.MaxMemoryMB, extra, each)
	}
	live := l.MaxConcurrency
	if live == 0 {
		live = max(64, 8*runtime.GOMAXPROCS(0)) // most of them wait for tools and people
	}
	return min(live, l.MaxTotalMemoryMB/each), nil
}

// QueueWait is how long a run may wait for a free worker.
func (l Limits) QueueWait() time.Duration { return time.Duration(l.QueueSeconds) * time.Second }

func (l Limits) checkSet(isSet func(env string) bool) error {
	v := reflect.ValueOf(l)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type.Kind() != reflect.Int || !isSet(f.Tag.Get("envconfig")) {
			continue
		}
		if err := checkRange(f, v.Field(i).Int()); err != nil {
			return err
		}
	}
	return nil
}

func checkRange(f reflect.StructField, n int64) error {
	low, high := bounds(f)
	if n < low || n > high {
		return fmt.Errorf("%s=%d is out of range: want %d..%d", f.Tag.Get("envconfig"), n, low, high)
	}
	return nil
}

func bounds(f reflect.StructField) (low, high int64) {
	if _, err := fmt.Sscanf(f.Tag.Get("range"), "%d..%d", &low, &high); err != nil {
		panic("BUG: limit " + f.Name + " has no range")
	}
	return low, high
}

func parseError(err error) error {
	if e, ok := err.(*envconfig.ParseError); ok {
		kind := "whole number"
		if e.TypeName == "bool" {
			kind = "boolean"
		}
		return fmt.Errorf("%s=%q is not a %s", e.KeyName, e.Value, kind)
	}
	return err
}

// Table renders all limits as a Markdown table.
func Table() string {
	var b strings.Builder
	b.WriteString("| variable | default | range | what it bounds |\n|---|---|---|---|\n")
	for f := range fields() {
		def := f.Tag.Get("default")
		if def == "0" && strings.Contains(f.Tag.Get("doc"), "default ") {
			def = ""
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Tag.Get("envconfig"), def, f.Tag.Get("range"), f.Tag.Get("doc"))
	}
	return b.String()
}

// Rows lists each limit's variable and its value in force.
func (l Limits) Rows() [][2]string {
	v := reflect.ValueOf(l)
	var out [][2]string
	for i := range v.NumField() {
		out = append(out, [2]string{v.Type().Field(i).Tag.Get("envconfig"), fmt.Sprint(v.Field(i).Interface())})
	}
	return out
}

func fields() func(yield func(reflect.StructField) bool) {
	t := reflect.TypeFor[Limits]()
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}
