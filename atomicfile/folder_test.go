package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A folder appears with all its files, for its owner alone, also in place of an empty one.
func TestWriteFolder(t *testing.T) {
	for _, before := range []func(name string) error{
		func(string) error { return nil },
		func(name string) error { return os.Mkdir(name, 0o755) },
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "out")
		if err := before(name); err != nil {
			t.Fatal(err)
		}
		err := WriteFolder(name+"/", func(in string) error { return os.WriteFile(filepath.Join(in, "a"), []byte("b"), 0o600) })
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Join(name, "a")); got != "b" {
			t.Errorf("it has %q", got)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		alone(t, dir, "out")
	}
}

// Files are never replaced: neither those of a folder, nor one with its name, nor one that appears meanwhile. A failure leaves
// nothing behind.
func TestFolderNotReplaced(t *testing.T) {
	mine := func(name string) error { return os.WriteFile(name, []byte("mine"), 0o600) }
	filled := func(name string) error {
		if err := os.MkdirAll(name, 0o700); err != nil {
			return err
		}
		return mine(filepath.Join(name, "a"))
	}
	failed := errors.New("no room")
	nothing := func(string) error { return nil }
	for what, c := range map[string]struct{ before, meanwhile func(string) error }{
		"a file":                         {mine, nothing},
		"a folder with files":            {filled, nothing},
		"a link":                         {func(name string) error { return os.Symlink(filepath.Dir(name), name) }, nothing},
		"a file that appears":            {nothing, mine},
		"a folder that appears":          {nothing, filled},
		"no folder around it":            {func(name string) error { return os.Remove(filepath.Dir(name)) }, nothing},
		"a failure of the one who fills": {nothing, func(string) error { return failed }},
	} {
		dir := filepath.Join(t.TempDir(), "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, "out")
		if err := c.before(name); err != nil {
			t.Fatal(err)
		}
		if err := WriteFolder(name, func(string) error { return c.meanwhile(name) }); err == nil {
			t.Errorf("%s: it was written", what)
		}
		left, err := filepath.Glob(filepath.Join(dir, ".*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%s: it left %v, %v", what, left, err)
		}
		if text, err := os.ReadFile(name); err == nil && string(text) != "mine" {
			t.Errorf("%s: it has %q", what, text)
		}
	}
}

// The current folder cannot be replaced, under any name. This is known before anything is written.
func TestCurrentFolderNotReplaced(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{".", "./", "x/..", dir, "/"} {
		if err := CheckFolder(name); err == nil {
			t.Errorf("%s can be written", name)
		}
		if err := WriteFolder(name, func(string) error { t.Errorf("%s was written", name); return nil }); err == nil {
			t.Errorf("%s was replaced", name)
		}
	}
	alone(t, dir)
}
