package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Kind says what sort of failure an [Error] is.
type Kind string

// The kinds of failure.
const (
	// KindNotFound: nothing has that name.
	KindNotFound Kind = "not_found"
	// KindOutside: the path leaves the workspace.
	KindOutside Kind = "outside"
	// KindProtected: no tool may write, or read, that path.
	KindProtected Kind = "protected"
	// KindNotText: the file is not UTF-8 text.
	KindNotText Kind = "not_text"
	// KindExists: something has that name already.
	KindExists Kind = "exists"
	// KindNotMatch: the text to replace is not there, or not once.
	KindNotMatch Kind = "not_match"
	// KindInvalid: the arguments make no sense.
	KindInvalid Kind = "invalid"
	// KindTooLarge: a limit would be passed.
	KindTooLarge Kind = "too_large"
	// KindWrongType: a folder where a file is needed, or the other way round.
	KindWrongType Kind = "wrong_type"
	// KindDenied: the operating system refuses.
	KindDenied Kind = "denied"
	// KindChanged: the path was changed by someone else during the call.
	KindChanged Kind = "changed"
	// KindRootRefused: the folder may not be a workspace.
	KindRootRefused Kind = "root_refused"
	// KindIO: the operating system failed.
	KindIO Kind = "io"
)

// Error is a failure written for the model that made the call.
type Error struct {
	Kind Kind
	// Path is the path as the caller gave it. May be empty.
	Path string
	// Message says what was wrong.
	Message string
	// Hint says what to do about it. May be empty.
	Hint string
}

// Error gives path, message and hint as one line.
func (e *Error) Error() string {
	s := e.Message
	if e.Path != "" {
		s = fmt.Sprintf("%q: %s", e.Path, s)
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func fail(kind Kind, path, format string, args ...any) *Error {
	return &Error{Kind: kind, Path: path, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) hint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// osError turns an error of the operating system into ours. The paths within it
// are dropped: they are the host's.
func osError(path string, err error) error {
	var ours *Error
	var errno syscall.Errno
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fail(KindNotFound, path, "no such file or folder")
	case errors.Is(err, fs.ErrExist):
		return fail(KindExists, path, "it exists already")
	case errors.Is(err, fs.ErrPermission):
		return fail(KindDenied, path, "the operating system refuses access")
	case errors.Is(err, os.ErrClosed):
		return fail(KindIO, path, "the workspace is closed")
	case errors.Is(err, syscall.ENOTDIR):
		return fail(KindWrongType, path, "a part of the path is not a folder")
	case errors.As(err, &errno):
		return fail(KindIO, path, "%s", errno.Error())
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	if err.Error() == "path escapes from parent" { // os.Root exports no value for it
		return outside(path)
	}
	return fail(KindIO, path, "%s", err.Error())
}

func outside(path string) *Error {
	return fail(KindOutside, path, "the path leads outside the workspace").
		hint("use a path relative to the workspace root")
}
