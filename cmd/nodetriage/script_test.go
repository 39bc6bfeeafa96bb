package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if os.Getenv("NODETRIAGE_TEST_MEASURE") != "" {
		measure()
		return
	}
	if os.Getenv("NODETRIAGE_TEST_PROGRAM") != "" {
		grace = time.Hour // tests want its last output, which comes late on a busy machine
		os.Exit(run())
	}
	if os.Getenv("WORK") == "" { // not the program of a script: the knowledge in use by a developer is ignored in tests
		_ = os.Setenv("XDG_CONFIG_HOME", filepath.Join(os.TempDir(), "nodetriage-tests-have-no-settings"))
	}
	testscript.Main(m, map[string]func(){"nodetriage": func() { os.Exit(run()) }})
}

// Each script is one task of a user.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("COLUMNS", "80")
			env.Setenv("KUBECONFIG", env.WorkDir+"/no-such-kubeconfig")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/settings")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "json": jsonField, "keys": keys, "columns": columns, "mode": mode, "glob": glob, "bytes": bytesFile,
			"keypair": keyPair, "changebyte": changeByte, "cluster": cluster, "terminal": onTerminal,
		},
	})
}

// code runs a command that must exit with the code: code N COMMAND ARGS.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND ARGS")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		if _, err := fmt.Sscanf(err.Error(), "exit status %d", &got); err != nil {
			ts.Fatalf("%v", err)
		}
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// jsonField compares one field of a JSON file: json FILE PATH VALUE, with a path like findings.0.cause.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	if got := fmt.Sprint(fieldAt(ts, args[0], args[1])); (got == args[2]) == neg {
		ts.Fatalf("%s is %s", args[1], got)
	}
}

// keys compares the keys of an object in a JSON file: keys FILE PATH KEY... It must have exactly these, except optional ones
// with a question mark. The path . is the whole.
func keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: keys FILE PATH KEY...")
	}
	object, ok := fieldAt(ts, args[0], args[1]).(map[string]any)
	if !ok {
		ts.Fatalf("%s is no object", args[1])
	}
	known := map[string]bool{}
	for _, key := range args[2:] {
		name, optional := strings.CutSuffix(key, "?")
		known[name] = true
		if _, there := object[name]; !there && !optional {
			ts.Fatalf("%s has no %s", args[1], name)
		}
	}
	for name := range object {
		if !known[name] {
			ts.Fatalf("%s has %s, which the contract does not know", args[1], name)
		}
	}
}

// fieldAt returns the value at a path of a JSON file.
func fieldAt(ts *testscript.TestScript, file, path string) any {
	text := []byte(ts.ReadFile(file))
	ts.Check(obeys(text))
	var v any
	ts.Check(json.Unmarshal(text, &v))
	if path == "." {
		return v
	}
	for step := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				ts.Fatalf("%s: there is no entry %s among %d", path, step, len(at))
			}
			v = at[i]
		default:
			ts.Fatalf("%s: there is nothing at %s", path, step)
		}
	}
	return v
}

// columns checks that no line of a file is wider: columns FILE N. Commands may be, because they are never wrapped.
func columns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: columns FILE N")
	}
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		line = strings.TrimRight(line, "\n")
		command := strings.HasPrefix(line, strings.Repeat(" ", 16)) || strings.HasPrefix(line, "     ") && line[5] != ' '
		if utf8.RuneCountInString(line) > most && !command {
			ts.Fatalf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}
