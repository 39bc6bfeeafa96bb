//go:build linux

package scenario

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lab"
)

// Recorder gathers what can be seen of a broken node, with the program that is judged and with kubectl.
type Recorder struct {
	Program string // nodetriage
	Kubectl string
}

// Record is the evidence of one scenario, in the ways in which people have it.
type Record struct {
	dir     string // where the parts are while they are judged
	secrets *strings.Replacer
}

// Ways of having evidence.
const (
	API    = "API only"
	Report = "with node report"
	Text   = "pasted text"
	Bundle = "bundle"
)

// Ways in the order of the scorecard.
var Ways = []string{API, Report, Text, Bundle}

// lastLines of a log are what people paste.
const lastLines = 150

// Record takes everything. The logs start at the offsets, where they were when the node broke.
func (r Recorder) Record(ctx context.Context, w *World, dir string, offsets map[string]int64) (*Record, error) {
	out := &Record{dir: dir, secrets: strings.NewReplacer(w.Plane.Dir, "/lab")}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "text"), 0o755), os.MkdirAll(filepath.Join(dir, "report"), 0o755)); err != nil {
		return nil, err
	}
	bundle := filepath.Join(dir, "bundle.tar.gz")
	if text, err := exec.CommandContext(ctx, r.Program, "collect", "--force", "-o", bundle, "--kubeconfig", w.Plane.Kubeconfig).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("collect the bundle: %w: %s", err, text)
	}
	for name, args := range map[string][]string{
		"nodes.txt": {"get", "nodes", "-o", "wide"}, "describe-node.txt": {"describe", "node", w.Node},
		"events.txt": {"get", "events", "-A", "--sort-by=.metadata.creationTimestamp"}, "pods.txt": {"get", "pods", "-A", "-o", "wide"},
	} {
		text, _ := exec.CommandContext(ctx, r.Kubectl, append(args, "--kubeconfig", w.Plane.Kubeconfig)...).CombinedOutput() // what it says of a failure is evidence too
		if err := out.write("text/"+name, text); err != nil {
			return nil, err
		}
	}
	if w.Machine == nil {
		return out, nil
	}
	for _, unit := range []string{lab.Kubelet, lab.Containerd} {
		text, err := tail(w.Machine.Log(unit), offsets[unit])
		if err == nil {
			err = out.write("text/"+unit+".log", text)
		}
		if err != nil {
			return nil, err
		}
	}
	report, err := w.Machine.Report(ctx, r.Program)
	if err != nil {
		return nil, err
	}
	return out, out.write("report/node-report.json", report)
}

func (r *Record) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.dir, name), []byte(r.secrets.Replace(string(text))), 0o644)
}

// tail is the text from the offset on: its last lines.
func tail(path string, offset int64) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(data[min(offset, int64(len(data))):], []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-lastLines):], nil), nil
}

// arguments name the evidence of one way to have it; nil: there is none.
func (r *Record) arguments(way string) []string {
	bundle, report := filepath.Join(r.dir, "bundle.tar.gz"), filepath.Join(r.dir, "report", "node-report.json")
	switch way {
	case Text:
		return []string{"-f", filepath.Join(r.dir, "text")}
	case Bundle:
		return []string{"-f", bundle}
	case Report:
		if _, err := os.Stat(report); err == nil {
			return []string{"-f", bundle, "-f", report, "-f", filepath.Join(r.dir, "text", lab.Kubelet+".log"), "-f", filepath.Join(r.dir, "text", lab.Containerd+".log")}
		}
	}
	return nil
}

// Case packs the record in the project's format: bundle, texts and node report.
func (r *Record) Case(s Scenario) ([]byte, error) {
	truth, err := yaml.Marshal(struct {
		Truth      `json:",inline"`
		Provenance string `json:"provenance"`
		Source     string `json:"source"`
	}{s.Truth.told(), "recorded", "lab scenario " + s.Name + ", Kubernetes " + lab.KubernetesVersion})
	if err != nil {
		return nil, err
	}
	archive := &txtar.Archive{Files: []txtar.File{{Name: "truth.yaml", Data: truth}}}
	add := func(name string, data []byte) {
		archive.Files = append(archive.Files, txtar.File{Name: "evidence/" + name, Data: []byte(r.secrets.Replace(string(data)))})
	}
	if err := unpack(filepath.Join(r.dir, "bundle.tar.gz"), add); err != nil {
		return nil, err
	}
	for _, dir := range []string{"text", "report"} {
		entries, err := os.ReadDir(filepath.Join(r.dir, dir))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(r.dir, dir, e.Name()))
			if err != nil {
				return nil, err
			}
			add(e.Name(), data)
		}
	}
	return txtar.Format(archive), nil
}

func unpack(path string, add func(string, []byte)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		data, err := io.ReadAll(files)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if h.Typeflag == tar.TypeReg {
			add(h.Name, data)
		}
	}
}

// Verdict is how right an answer is.
type Verdict string

const (
	Right   Verdict = "right"
	Second  Verdict = "second" // named, but not first
	Wider   Verdict = "wider"  // true, but not all of it
	Unknown Verdict = "unknown"
	Wrong   Verdict = "wrong"
	None    Verdict = "-" // there is no such evidence
)

// Answer is what the program said.
type Answer struct {
	Verdict Verdict
	Causes  []string
	Took    time.Duration
}

// Judge asks the program and compares its answer with the truth.
func (r Recorder) Judge(ctx context.Context, truth Truth, args ...string) (Answer, error) {
	begin := time.Now()
	text, err := exec.CommandContext(ctx, r.Program, append([]string{"diagnose", "-o", "json"}, args...)...).Output()
	a := Answer{Took: time.Since(begin)}
	var report struct{ Findings []struct{ Cause string } }
	if decode := json.Unmarshal(text, &report); decode != nil {
		return a, fmt.Errorf("diagnose: %w", cmp.Or(err, decode))
	}
	for _, f := range report.Findings {
		a.Causes = append(a.Causes, f.Cause)
	}
	a.Verdict = truth.judge(a.Causes)
	return a, nil
}

// told is the truth in the words of the case format, which knows no wider causes.
func (t Truth) told() Truth {
	t.Secondary = append(slices.Clone(t.Secondary), t.Wider...)
	return t
}

func (t Truth) judge(causes []string) Verdict {
	good := func(cause string) bool { return cause == t.Class || slices.Contains(t.Secondary, cause) }
	switch {
	case slices.ContainsFunc(causes, func(c string) bool { return slices.Contains(t.Not, c) }):
		return Wrong
	case len(causes) == 0 && t.Class == "unknown":
		return Right
	case len(causes) == 0:
		return Unknown
	case good(causes[0]):
		return Right
	case slices.ContainsFunc(causes, good):
		return Second
	case slices.Contains(t.Wider, causes[0]):
		return Wider
	}
	return Wrong
}
