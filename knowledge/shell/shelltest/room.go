package shelltest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// programs are the programs in printed commands. In a Room each only records its arguments.
const programs = "touch kubectl az aws gcloud eksctl ssh sudo systemctl crictl journalctl curl nodetriage grep dmesg systemd-cgls cat ls ps jq timeout modprobe tar tail head openssl df du chroot sysctl ip ss helm getent stat nc dig tc mount"

// Room is a folder with a shell that finds only programs that record their arguments.
type Room struct{ shell, programs, folder, log string }

// NewRoom creates a Room in an empty folder.
func NewRoom(dir, shell string) (Room, error) {
	r := Room{shell, filepath.Join(dir, "programs"), filepath.Join(dir, "folder"), filepath.Join(dir, "log")}
	for _, d := range []string{r.programs, r.folder} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return r, err
		}
	}
	for _, name := range strings.Fields(programs) {
		stub := "#!/bin/sh\nprintf '%s\\0' " + name + " \"$@\" >> " + r.log + "\nprintf '\\n\\0' >> " + r.log + "\n"
		if err := os.WriteFile(filepath.Join(r.programs, name), []byte(stub), 0o700); err != nil { //nolint:gosec // it has to be run
			return r, err
		}
	}
	return r, nil
}

// outside matches a redirection into a folder of the system, up to the name of the file. Names of tests have digits or upper case.
var outside = regexp.MustCompile(`(>>? ?)/(?:etc|opt|proc|root|run|srv|sys|tmp|usr|var)(?:/[a-z][a-z._-]*)*/`)

// Paste runs a text, and returns the forbidden effects of the names in it; nil if there are none. A name is intact if an
// argument contains it completely and is not an option.
func (r Room) Paste(text string, names []string) []string {
	_ = os.Remove(r.log)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	text = outside.ReplaceAllString(text, "${1}"+r.folder+"/") // the shell itself opens files: as root it would change this computer
	run := exec.CommandContext(ctx, r.shell, "-c", text)
	run.Dir, run.Env = r.folder, []string{"PATH=" + r.programs, "HOME=" + r.folder}
	var exit *exec.ExitError
	if err := run.Run(); err != nil && !errors.As(err, &exit) { // sentences fail, and so do placeholders
		return []string{err.Error()}
	}
	var did []string
	written, _ := filepath.Glob(filepath.Join(r.folder, "..", "*PWN*"))
	for _, name := range append(written, filepath.Join(r.folder, "PWN")) {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			did = append(did, "a name wrote a file")
			_ = os.RemoveAll(name)
		}
	}
	said, err := os.ReadFile(r.log)
	if err != nil {
		return did
	}
	for call := range strings.SplitSeq(string(said), "\n\x00") {
		did = append(did, wrong(strings.Split(strings.TrimSuffix(call, "\x00"), "\x00"), names)...)
	}
	return did
}

// wrong returns what is wrong with the arguments of a program.
func wrong(words, names []string) (did []string) {
	if words[0]+" "+strings.Join(words[1:], " ") == canary || words[0] == "touch" {
		did = append(did, "a name runs a program")
	}
	for _, word := range words {
		whole := func(name string) bool { return strings.Contains(word, name) }
		option, _, _ := strings.Cut(word, "=")
		switch {
		case !strings.Contains(word, Mark):
		case strings.HasPrefix(option, "-") && strings.Contains(option, Mark):
			did = append(did, fmt.Sprintf("a name is an option: %q", word))
		case !slices.ContainsFunc(names, whole):
			did = append(did, fmt.Sprintf("a name arrives in pieces, as %q", word))
		}
	}
	return did
}

// Shells returns the installed shells.
func Shells() (out []string) {
	for _, name := range []string{"sh", "bash"} {
		if path, err := exec.LookPath(name); err == nil {
			out = append(out, path)
		}
	}
	return out
}
