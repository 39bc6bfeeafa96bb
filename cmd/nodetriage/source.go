package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
)

// sourceFlags say where evidence comes from; every command that only reads has them.
type sourceFlags struct {
	files   []string
	at      string
	secrets bool // are shown
	cluster *clusterFlags
	cloud   cloudFlags
	hide    hideFlags
	long    bool          // judging takes longer than reading
	texts   *bundle.Texts // keeps what is read as text, for a bundle; nil: nothing does
	// beside adds to what the cluster says; nil: nothing does.
	beside func(*collect.Builder) error
}

func newSourceFlags() *sourceFlags {
	return &sourceFlags{cluster: newClusterFlags()}
}

func (f *sourceFlags) register(set *pflag.FlagSet) {
	set.StringArrayVarP(&f.files, "filename", "f", nil, "read this `PATH` instead of a cluster: a bundle, folder, dump or text, - for standard input (repeatable)")
	set.StringVar(&f.at, "at", "", "evaluate as of this `TIME` (RFC 3339), without what came later, instead of when the evidence was taken")
	set.BoolVar(&f.secrets, "show-secrets", false, "show passwords, tokens and keys instead of [redacted-...]; never in bundles")
	f.cluster.AddFlags(set)
}

// time returns the time to judge by; zero means the evidence's own.
func (f *sourceFlags) time() (time.Time, error) {
	if f.at == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, f.at)
	if err != nil {
		return time.Time{}, usagef("read --at %q: use a time like 2026-11-21T03:04:05Z", f.at)
	}
	return t.UTC(), nil
}

// nodeName is the name of a node as kubectl writes it too: node/NAME and nodes/NAME. A file of that path goes first.
func nodeName(arg string) string {
	kind, name, found := strings.Cut(arg, "/")
	if !found || name == "" || strings.Contains(name, "/") || kind != "node" && kind != "nodes" && kind != "no" {
		return arg
	}
	if _, err := os.Stat(arg); err == nil {
		return arg
	}
	return name
}

// nodeNames are the names of the nodes that the arguments name.
func nodeNames(args []string) []string {
	names := make([]string, 0, len(args))
	for _, a := range args {
		names = append(names, nodeName(a))
	}
	return names
}

// split tells arguments that are files from names of nodes: a path exists or holds a separator.
func split(args []string) (nodes, paths []string) {
	for _, a := range args {
		if name := nodeName(a); name != a {
			nodes = append(nodes, name)
		} else if _, err := os.Stat(a); a == "-" || err == nil || strings.ContainsRune(a, os.PathSeparator) {
			paths = append(paths, a)
		} else {
			nodes = append(nodes, a)
		}
	}
	return nodes, paths
}

// input is what a command judges.
type input struct {
	snapshot  *evidence.Snapshot
	knowledge *knowledge
	at        time.Time // to judge by; zero: when the evidence was taken
}

// read gathers what a command judges, after the flags were found to make sense; gather is one of snapshot and all, or
// what else a command has.
func (f *sourceFlags) read(out *outputFlags, know *knowledgeFlags, gather func(*knowledge) (*evidence.Snapshot, error)) (in input, err error) {
	if err := out.check(); err != nil {
		return in, err
	}
	if in.at, err = f.time(); err != nil {
		return in, err
	}
	if in.knowledge, err = know.load(); err != nil {
		return in, err
	}
	if in.snapshot, err = gather(in.knowledge); err == nil {
		in.snapshot = in.snapshot.Until(in.at)
	}
	return in, err
}

// snapshot gathers the evidence that the flags and arguments name.
func (f *sourceFlags) snapshot(cmd *cobra.Command, args []string, k *knowledge) (*evidence.Snapshot, error) {
	nodes, paths := split(args)
	paths = append(paths, f.files...)
	if len(paths) > 0 {
		s, err := f.offline(cmd, paths, nodes, k)
		if err != nil {
			return nil, err
		}
		return f.hide.hidden(s, k, f.texts)
	}
	s, err := f.live(cmd.Context(), nodes, k, about(nodes))
	if unknown := (*survey.NoNodeError)(nil); errors.As(err, &unknown) {
		return nil, usagef("%w (there is no file of that name either)", err)
	}
	if errors.Is(err, errNoCluster) && len(nodes) > 0 {
		return nil, usagef("no file is named %s, and for a node of that name: %w", nodes[0], err)
	}
	if err != nil {
		return nil, err
	}
	return f.hide.hidden(s, k, f.texts)
}

// all gathers the evidence of the whole cluster, for what concerns all of its nodes.
func (f *sourceFlags) all(cmd *cobra.Command, k *knowledge) (*evidence.Snapshot, error) {
	s, err := f.wholeCluster(cmd, k)
	if err != nil {
		return nil, err
	}
	return f.hide.hidden(s, k, f.texts)
}

func (f *sourceFlags) wholeCluster(cmd *cobra.Command, k *knowledge) (*evidence.Snapshot, error) {
	if len(f.files) > 0 {
		return f.offline(cmd, f.files, nil, k)
	}
	return f.live(cmd.Context(), nil, k, about(nil))
}

func (f *sourceFlags) offline(cmd *cobra.Command, paths, nodes []string, k *knowledge) (*evidence.Snapshot, error) {
	source := sourceOf(paths)
	source.Node = strings.Join(nodes, ", ")
	b := f.builder(source, k)
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), longestReading, errLongReading)
	defer cancel()
	b.Until(ctx)
	at, err := f.time()
	if err != nil {
		return nil, err
	}
	b.Assume(at)
	for _, p := range paths {
		if err := readInput(ctx, b, p, cmd.InOrStdin()); err != nil {
			return nil, &usageError{err}
		}
	}
	if err := b.Unreadable(); err != nil {
		return nil, &usageError{err}
	}
	return b.Snapshot(), nil
}

// Reading saved evidence ends after this time, with what was read until then.
const longestReading = 15 * time.Minute

var errLongReading = fmt.Errorf("it took more than %s", longestReading)

// builder starts a Snapshot as the flags want it.
func (f *sourceFlags) builder(source evidence.Source, k *knowledge) *collect.Builder {
	b := collect.NewBuilder(source, k.signatures)
	if f.secrets {
		b.Redact(nil)
	}
	b.KeepTexts(f.texts)
	return b
}

// readInput reads one input: - for standard input, a file, a folder, or a pipe that has a name.
func readInput(ctx context.Context, b *collect.Builder, name string, stdin io.Reader) error {
	shown, size := name, int64(0)
	info, err := os.Stat(name)
	switch {
	case name == "-":
		shown = "standard input"
	case err == nil && info.Mode().IsRegular():
		size = info.Size()
	}
	p := startProgress("reading "+shown, size, bytesInWords)
	defer p.end()
	b.Progress(func(n int) { p.done.Add(int64(n)) })
	if name == "-" {
		b.AddStream(shown, newPatient(ctx, stdin))
		return nil
	}
	if err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeCharDevice) != 0 {
		f, err := openPatiently(ctx, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		defer f.Close()
		b.AddStream(filepath.Base(name), newPatient(ctx, f))
		return nil
	}
	return b.AddPath(name)
}

func sourceOf(paths []string) evidence.Source {
	if len(paths) == 1 && paths[0] == "-" {
		return evidence.Source{Kind: "stdin"}
	}
	s := evidence.Source{Kind: "file", Name: strings.Join(paths, ", ")}
	if len(paths) == 1 {
		if info, err := os.Stat(paths[0]); err == nil && info.IsDir() {
			s.Kind = "folder"
		}
	}
	return s
}
