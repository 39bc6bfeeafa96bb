//go:build linux && !race

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// absurdTimes are nonsensical times, seconds and ages.
var absurdTimes = struct {
	times   []string
	seconds []json.Number
	ages    []string
	metrics []string
}{
	[]string{"0001-01-01T00:00:01Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1677-09-21T00:12:43Z", "2262-04-12T00:00:00Z", "2500-01-01T00:00:00Z", "292277026596-12-04T15:30:08Z", "-0001-01-01T00:00:00Z"},
	[]json.Number{"9223372036854775807", "-9223372036854775808", "9223372036", "9223372037", "153722867281", "2147483647", "-2147483648", "-1"},
	[]string{"999999999999h", "1e300s", "-5d", "106751d", "999999d", "292y", "9999999999999999999999d", "2562047h47m"},
	[]string{"1e300", "-1e300", "NaN", "+Inf", "-Inf", "9.3e18", "1e19"},
}

var (
	timeKey = regexp.MustCompile(`(?i)seconds|minutes|hours|duration|grace|timeout|delay|period|interval|backoff|soak|ttl`)
	ageCell = regexp.MustCompile(`(?m) \d+[dhms](?:\d+[hms])?( |$)`)
	// wrapped matches a duration that overflowed, or that results from a nonsensical time.
	wrapped = regexp.MustCompile(`\b29[12]y\b|\b106751d|2562047h|-\d+(?:\.\d+)?(?:y|d|h|m|s|ms|µs|ns)\d*\b|\b\d{4,}y\b|\b\d{6,}d\b|\b\d{7,}h\b|-292277`)
)

// A nonsensical time, duration or age is not printed as an overflowed duration, makes no command panic, and does not make a
// broken cluster HEALTHY.
func TestAbsurdTimes(t *testing.T) {
	dir := t.TempDir()
	var files []string
	quoted := map[string]string{} // file -> what its quoted lines hold
	add := func(name string, data []byte) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	trees := hostileTrees(t)
	for _, name := range []string{"cluster", "evidence", "node", "pods", "report", "machines", "agent-pools", "cluster-api", "activities", "ec2"} {
		if trees[name] == nil {
			t.Fatal(name)
		}
		for i, text := range absurdTimes.times {
			changed := leaves(func(_ *rand.Rand, _ string, v any) any {
				if isTime(v) {
					return text
				}
				return v
			})(nil, clone(t, trees[name]))
			data, _ := json.Marshal(changed)
			add(fmt.Sprintf("%s-time%d.json", name, i), data)
		}
		for i, text := range absurdTimes.times {
			r := rand.New(rand.NewPCG(uint64(i), seedOf(name)))
			changed := leaves(func(r *rand.Rand, _ string, v any) any {
				if isTime(v) && r.IntN(2) == 0 {
					return text
				}
				return v
			})(r, clone(t, trees[name]))
			data, _ := json.Marshal(changed)
			add(fmt.Sprintf("%s-half%d.json", name, i), data)
		}
		for i, n := range absurdTimes.seconds {
			changed := leaves(func(_ *rand.Rand, key string, v any) any {
				if _, ok := v.(float64); ok && timeKey.MatchString(key) {
					return n
				}
				return v
			})(nil, clone(t, trees[name]))
			data, _ := json.Marshal(changed)
			add(fmt.Sprintf("%s-seconds%d.json", name, i), data)
		}
	}
	for _, name := range []string{"tables.txt", "describe-node.txt", "node-shell.txt"} {
		text, err := os.ReadFile("testdata/hostile/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for i, age := range absurdTimes.ages {
			add(fmt.Sprintf("age%d-%s", i, name), ageCell.ReplaceAll(text, []byte(" "+age+"$1")))
			quoted[files[len(files)-1]] = age
		}
	}
	metrics, err := os.ReadFile("testdata/hostile/metrics.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range absurdTimes.metrics {
		add(fmt.Sprintf("metrics%d.txt", i), regexp.MustCompile(`(?m) [0-9.e+-]+$`).ReplaceAll(metrics, []byte(" "+value)))
	}
	for _, file := range ofToday(files, 6) {
		for _, command := range []string{"diagnose FILE", "diagnose FILE -o json", "pods -f FILE", "nodes -f FILE", "nodes n1 -f FILE", "predict n1 --event power-off -f FILE", "drain n1 --plan -f FILE", "why p1 -n shop -f FILE", "pools -f FILE", "check -f FILE", "upgrade np1 --plan -f FILE", "timeline -f FILE", "diagnose --at 2026-11-21T03:04:05Z FILE"} {
			out := printed(t, strings.ReplaceAll(command, "FILE", file))
			if strings.HasPrefix(command, "diagnose") && strings.HasPrefix(out, "HEALTHY") {
				t.Errorf("%s: %s: HEALTHY", filepath.Base(file), command)
			}
			for _, line := range strings.Split(out, "\n") {
				if quoted[file] != "" {
					line = strings.ReplaceAll(line, quoted[file], "")
				}
				line = strings.ReplaceAll(line, "--since -1h", "") // of a command of a page
				if found := wrapped.FindString(line); found != "" {
					t.Errorf("%s: %s: %q in %.300s", filepath.Base(file), command, found, line)
				}
			}
		}
	}
}

// printed is what a command prints.
func printed(t *testing.T, command string) string {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", command, p)
		}
	}()
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(strings.Fields(command))
	if err := root.Execute(); err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String()
}
