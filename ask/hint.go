package ask

import "fmt"

// HintError is an error with a hint: what to do about it. It is printed on a separate line.
type HintError struct {
	Err  error
	Hint string
}

// hintf returns the error for a wrong question with a hint.
func hintf(hint, format string, args ...any) error {
	return &UsageError{&HintError{fmt.Errorf(format, args...), hint}}
}

// withHint adds a hint to an error, if there is one.
func withHint(err error, hint string) error {
	if hint == "" {
		return err
	}
	return &HintError{err, hint}
}

func (e *HintError) Error() string { return e.Err.Error() }
func (e *HintError) Unwrap() error { return e.Err }
