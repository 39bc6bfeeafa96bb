//go:build linux

package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// Tried is one remedy of the first finding, as a user would try it.
type Tried struct {
	Title    string
	Commands []Ran
	Mended   bool   // the cause was gone after it
	Still    string // the remaining evidence, if the cause was not gone
}

// Ran is one of its commands.
type Ran struct {
	Command string
	Left    string // why it was skipped; empty: it ran
	Code    int    // exit code
	Output  string
}

// Refused reports whether the tool rejected the command line.
func (r Ran) Refused() bool {
	return r.Left == "" && (r.Code == 126 || r.Code == 127 || slices.ContainsFunc(refusals, func(word string) bool { return strings.Contains(r.Output, word) }))
}

// refusals are messages of tools for unknown arguments.
var refusals = []string{"unknown flag", "unknown command", "unknown shorthand", "unrecognized option", "invalid option", "Unknown operation", "Unknown command verb", "flag provided but not defined", "No help topic"}

const (
	commandTime = 90 * time.Second // of one command
	mendTime    = 75 * time.Second // until the cause is gone
)

// Remedy breaks a node in a separate lab and runs the remedies of the first finding, one by one, until the cause is
// gone. It skips remedies that delete pods by force, and commands that would affect the kernel of the host.
func (r Recorder) Remedy(ctx context.Context, s Scenario, dir string, log io.Writer) (tried []Tried, err error) {
	w, err := r.world(ctx, s, log)
	if err != nil {
		return nil, err
	}
	defer w.Plane.Stop()
	if !lab.Pause(ctx, calm) {
		return nil, ctx.Err()
	}
	if w.Machine != nil && r.Crictl != "" {
		if err := os.Symlink(r.Crictl, w.Machine.Path("/usr/bin/crictl")); err != nil {
			return nil, fmt.Errorf("give the node crictl: %w", err)
		}
	}
	record, err := newRecord(w, dir)
	if err != nil {
		return nil, err
	}
	if err := s.Strike(ctx, w); err != nil {
		return nil, err
	}
	first, err := r.first(ctx, w, s, record)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "%s: found by %.1500s\n", s.Name, fmt.Sprint(first.Evidence))
	for _, remedy := range first.Remedies {
		if len(remedy.Commands) == 0 || remedy.Risk == "high" {
			continue
		}
		one, err := r.tryAll(ctx, w, s, record, remedy, dir)
		if tried = append(tried, one); err != nil || one.Mended {
			return tried, err
		}
	}
	return tried, ctx.Err()
}

// tryAll runs the commands of a remedy, and reports whether the cause is gone.
func (r Recorder) tryAll(ctx context.Context, w *World, s Scenario, record *Record, remedy advised, dir string) (one Tried, err error) {
	one = Tried{Title: remedy.Title}
	for _, command := range remedy.Commands {
		one.Commands = append(one.Commands, r.try(ctx, w, command, remedy.Where, dir))
	}
	if slices.ContainsFunc(one.Commands, func(c Ran) bool { return c.Left == "" }) {
		one.Still, err = r.mended(ctx, w, s, record)
		one.Mended = one.Still == ""
	}
	return one, err
}

// advised is a remedy of a report.
type advised struct {
	Title, Where, Risk string
	Commands           []string
}

// first waits for the truth as the first finding.
func (r Recorder) first(ctx context.Context, w *World, s Scenario, record *Record) (found, error) {
	var findings []found
	for begin := time.Now(); time.Since(begin) < s.After+patience && lab.Pause(ctx, pace); {
		var err error
		if findings, err = r.findings(ctx, w, record); err != nil {
			return found{}, err
		}
		if len(findings) > 0 && findings[0].Cause == s.Truth.Class {
			return findings[0], nil
		}
	}
	return found{}, errors.Join(ctx.Err(), fmt.Errorf("%s was never the first finding, at last these: %v", s.Truth.Class, causes(findings)))
}

type found struct {
	Cause    string
	Evidence []struct{ Text string }
	Remedies []advised
}

func causes(findings []found) (ids []string) {
	for _, f := range findings {
		ids = append(ids, f.Cause)
	}
	return ids
}

// findings returns the findings from all evidence: the cluster, and the node report.
func (r Recorder) findings(ctx context.Context, w *World, record *Record) ([]found, error) {
	way := API
	if w.Machine != nil {
		way = Report
		if err := r.onNode(ctx, w, record); err != nil {
			return nil, err
		}
	}
	text, err := exec.CommandContext(ctx, r.Program, append([]string{"diagnose", "-o", "json"}, record.arguments(way)...)...).Output()
	var report struct{ Findings []found }
	if decode := json.Unmarshal(text, &report); decode != nil {
		return nil, fmt.Errorf("diagnose: %w", errors.Join(err, decode))
	}
	return report.Findings, nil
}

// mended waits until the cause is no longer found; otherwise it returns the remaining evidence.
func (r Recorder) mended(ctx context.Context, w *World, s Scenario, record *Record) (string, error) {
	absent, still := 0, "it was not looked at often enough" // absent this many times in a row
	for begin := time.Now(); time.Since(begin) < mendTime && lab.Pause(ctx, pace); {
		findings, err := r.findings(ctx, w, record)
		if err != nil {
			return "", err
		}
		absent++
		if i := slices.IndexFunc(findings, func(f found) bool { return f.Cause == s.Truth.Class }); i >= 0 {
			absent, still = 0, fmt.Sprint(findings[i].Evidence)
		}
		if absent == 3 {
			return "", nil
		}
	}
	return still, ctx.Err()
}

// tame are the programs that change nothing outside the node and the cluster of the lab: the files, mounts, processes
// and network of the node are its own.
var tame = map[string][]string{
	"workstation": strings.Fields("kubectl nodetriage grep"),
	"node":        strings.Fields("systemctl networkctl hostnamectl timedatectl journalctl crictl ctr containerd cat ls df du find grep sed readlink timeout ps kill mount umount rm mv cp mkdir printf touch chmod logrotate busctl ip"),
}

var editor = regexp.MustCompile(`\b(vi|edit)\b`)

// openName is a placeholder for the user.
var openName = regexp.MustCompile(`<[a-zA-Z][^<>]*>`)

// try runs a command where the remedy says: on the node or the workstation.
func (r Recorder) try(ctx context.Context, w *World, command, where, dir string) Ran {
	ran := Ran{Command: command}
	text, on, other := strings.Cut(command, " # on: ")
	if other {
		where = on
	}
	text, _, _ = strings.Cut(text, " # tells ")
	program, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if verb, _, _ := strings.Cut(rest, " "); program == "nodetriage" && (verb == "drain" || verb == "repair") {
		text += " --yes" // the input of the user
	}
	switch {
	case editor.MatchString(text):
		ran.Left = "a person edits"
	case openName.MatchString(text):
		ran.Left = "it has open names"
	case where == "node" && w.Machine == nil, where != "node" && where != "workstation":
		ran.Left = "the lab has no " + where
	case !slices.Contains(tame[where], program):
		ran.Left = "it may reach outside the lab"
	}
	if ran.Left != "" {
		return ran
	}
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", text)
	if where == "node" {
		cmd = w.Machine.Command(ctx, "sh", "-c", text)
	} else {
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "KUBECONFIG="+w.Plane.Kubeconfig, "PATH="+filepath.Dir(r.Kubectl)+":"+filepath.Dir(r.Program)+":"+os.Getenv("PATH"))
	}
	cmd.WaitDelay = time.Second
	output, _ := cmd.CombinedOutput()
	ran.Code, ran.Output = cmd.ProcessState.ExitCode(), string(output)
	return ran
}
