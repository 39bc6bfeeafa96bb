package atomicfile

import (
	"errors"
	"fmt"
	"os"
)

// Append opens a regular file for appending, such as a log, and creates it if needed. Like Write it rejects links and
// devices.
func Append(name string) (*os.File, error) {
	if err := Check(name, true); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|noFollow, Private)
	if err != nil {
		return nil, named(name, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not written to", kind(info.Mode()))
	}
	if err != nil {
		return nil, errors.Join(named(name, err), f.Close())
	}
	return f, nil
}
