package nodetriage_test

import (
	"io/fs"
	"strings"
)

// walkTop visits all files of the repository: what testdata/top.txt names, and everything below it. The test cache remembers what a test
// lists, and the top folder itself changes with each build, so that no test lists it. make format compares the list with git's.
func walkTop(repository fs.FS, visit fs.WalkDirFunc) error {
	top, err := fs.ReadFile(repository, "testdata/top.txt")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(top)) {
		if err := fs.WalkDir(repository, name, visit); err != nil {
			return err
		}
	}
	return nil
}
