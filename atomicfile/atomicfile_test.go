package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func write(name string, replace bool, text string) error {
	return WriteBytes(name, Options{Replace: replace}, []byte(text))
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// alone checks that the folder contains only the named files.
func alone(t *testing.T, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := write(name, false, "one"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	if err := write(name, false, "two"); !errors.Is(err, ErrExists) || read(t, name) != "one" {
		t.Errorf("%v, and it is %q", err, read(t, name))
	}
	if err := write(name, true, "three"); err != nil || read(t, name) != "three" {
		t.Errorf("%v, and it is %q", err, read(t, name))
	}
	alone(t, dir, "a")
}

func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	for range 2 {
		f, err := Append(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, "line\n"); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	if read(t, name) != "line\nline\n" {
		t.Errorf("it is %q", read(t, name))
	}
}

// A replaced file that others could read becomes private, because another user may have created it.
func TestModeOfTheReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]os.FileMode{0: 0o600, Public: 0o644} {
		if err := WriteBytes(name, Options{Replace: true, Mode: mode}, nil); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want && os.PathSeparator == '/' {
			t.Errorf("%v, %v; want %v", info.Mode(), err, want)
		}
	}
}

// A failure leaves no files behind, and the old file unchanged.
func TestFailure(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	failing := func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return io.ErrUnexpectedEOF }
	if err := Write(name, Options{}, failing); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	alone(t, dir)
	if err := write(name, false, "one"); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, Options{Replace: true}, failing); !errors.Is(err, io.ErrUnexpectedEOF) || read(t, name) != "one" {
		t.Errorf("%v, and it is %q", err, read(t, name))
	}
	alone(t, dir, "a")
	for _, name := range []string{"", dir + "/", filepath.Join(dir, "none", "a"), filepath.Join(dir, "a", "b"), dir} {
		err := write(name, true, "x")
		if err == nil || !strings.HasPrefix(err.Error(), "write "+name+": ") || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%q: %v", name, err)
		}
	}
	alone(t, dir, "a")
}

// One of many concurrent writers creates the file, and the others get ErrExists.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	var made atomic.Int32
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			switch err := write(name, false, strings.Repeat(fmt.Sprint(i%10), 1000)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, ErrExists):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if text := read(t, name); made.Load() != 1 || len(text) != 1000 || strings.Trim(text, text[:1]) != "" {
		t.Errorf("%d made it, and it is %q", made.Load(), text)
	}
	alone(t, dir, "a")
}
