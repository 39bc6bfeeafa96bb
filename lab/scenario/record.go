//go:build linux

package scenario

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lab"
)

// Recorder collects the evidence of a broken node, with the program under test and with kubectl.
type Recorder struct {
	Program string // nodetriage
	Kubectl string
	Crictl  string // address as nodes see it; empty: none
	// Late: the node is checked when all symptoms should show, not from the start. Evidence without times takes less
	// work, and more labs can run in parallel.
	Late bool
	// Systemd: real nodes have systemd.
	Systemd bool
}

// Record is the evidence of one scenario, in each kind.
type Record struct {
	dir        string // folder of the parts during the evaluation
	kubeconfig string
	asked      string // the node, if it is diagnosed by name
	on         string // the kind of node, if not the plain one
	secrets    *strings.Replacer
}

// Kinds of evidence.
const (
	API    = "API only"
	Report = "with node report"
	Text   = "pasted text"
	Bundle = "bundle"
)

// Ways lists them in the order of the scorecard.
var Ways = []string{API, Report, Text, Bundle, Saved}

func newRecord(w *World, dir string) (*Record, error) {
	for _, part := range []string{"text", "report"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			return nil, err
		}
	}
	out := &Record{dir: dir, kubeconfig: w.Plane.Kubeconfig, asked: w.asked, secrets: strings.NewReplacer(w.Secrets()...)}
	if w.Machine != nil && w.Machine.Systemd() {
		out.on = " on a node with systemd"
	}
	return out, nil
}

// Secrets are names of this host that the node knows, each with its alias.
func (w *World) Secrets() []string {
	out := append(ownGroups(), w.Plane.Dir, "/lab")
	if w.Machine != nil {
		out = append(out, w.Machine.Cgroup()+"/", "/")
	}
	return out
}

// ownGroups are the cgroups of this program, which a kubelet without a service manager shares and names; each with its
// alias.
func ownGroups() []string {
	text, _ := os.ReadFile("/proc/self/cgroup")
	var out []string
	for line := range strings.Lines(string(text)) {
		if f := strings.SplitN(strings.TrimSpace(line), ":", 3); len(f) == 3 && len(f[2]) > 1 && !slices.Contains(out, f[2]) {
			out = append(out, f[2], "/lab")
		}
	}
	return out
}

// Record collects everything in dir.
func (r Recorder) Record(ctx context.Context, w *World, dir string) (*Record, error) {
	out, err := newRecord(w, dir)
	if err != nil {
		return nil, err
	}
	if err := r.bundle(ctx, w, out); err != nil {
		return nil, err
	}
	if err := r.texts(ctx, w, out); err != nil {
		return nil, err
	}
	if w.Machine == nil {
		return out, nil
	}
	return out, r.onNode(ctx, w, out)
}

func (r Recorder) bundle(ctx context.Context, w *World, out *Record) error {
	return r.collect(ctx, w, out.path("bundle.tar.gz"))
}

func (r Recorder) collect(ctx context.Context, w *World, file string) error {
	args := []string{"collect", "--force", "-o", file, "--kubeconfig", w.Plane.Kubeconfig}
	if w.asked != "" {
		args = append(args, w.asked)
	}
	text, err := exec.CommandContext(ctx, r.Program, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("collect the bundle: %w: %s", err, text)
	}
	return nil
}

// onNode collects the node report, its logs, and the state of the cluster at that time.
func (r Recorder) onNode(ctx context.Context, w *World, out *Record) error {
	collected := make(chan error, 1)
	go func() { collected <- r.collect(ctx, w, out.path("beside.tar.gz")) }()
	report, err := w.Machine.Report(ctx, r.Program)
	if err := errors.Join(err, <-collected); err != nil {
		return err
	}
	return errors.Join(out.write("report/node-report.json", report), w.logs(out, "report"))
}

func (r *Record) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *Record) write(name string, text []byte) error {
	return os.WriteFile(r.path(name), []byte(r.secrets.Replace(string(text))), 0o644)
}

// arguments returns the arguments for one kind of evidence; nil: there is none.
func (r *Record) arguments(way string) []string {
	var args []string
	add := func(name string) {
		if _, err := os.Stat(r.path(name)); err == nil {
			args = append(args, "-f", r.path(name))
		}
	}
	switch way {
	case API:
		if args = []string{"--kubeconfig", r.kubeconfig}; r.asked != "" {
			args = append(args, r.asked)
		}
		return args
	case Text:
		add("text")
	case Bundle:
		add("bundle.tar.gz")
	case Report:
		add("report")
		add("beside.tar.gz")
	case Saved:
		add(savedFile)
	}
	return args
}

// Case packs the record as a case: bundle, texts and node report.
func (r *Record) Case(s Scenario) ([]byte, error) {
	truth, err := yaml.Marshal(struct {
		Truth      `json:",inline"`
		Provenance string `json:"provenance"`
		Source     string `json:"source"`
	}{s.Truth, "recorded", "lab scenario " + s.Name + r.on + ", Kubernetes " + lab.KubernetesVersion})
	if err != nil {
		return nil, err
	}
	archive := &txtar.Archive{Files: []txtar.File{{Name: "truth.yaml", Data: truth}}}
	add := func(name string, data []byte) {
		archive.Files = append(archive.Files, txtar.File{Name: "evidence/" + name, Data: []byte(r.secrets.Replace(string(data)))})
	}
	if err := unpack(r.path("bundle.tar.gz"), add); err != nil {
		return nil, err
	}
	for _, dir := range []string{"text", "report"} { // the logs of the report are those of the texts
		entries, err := os.ReadDir(filepath.Join(r.dir, dir))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(r.dir, dir, e.Name()))
			if err != nil {
				return nil, err
			}
			if dir == "text" || filepath.Ext(e.Name()) == ".json" {
				add(e.Name(), data)
			}
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
