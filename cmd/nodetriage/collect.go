package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

const collectHelp = `Save evidence, to diagnose it later or on another machine. The result, a bundle,
is a tar.gz archive, a zip archive (-o NAME.zip) or a folder (-o DIR/). It
contains the objects as JSON, logs, data of the kubelets, and a table of
contents (nodetriage-manifest.json), which lists all files and the data that
could not be read. Every command that has the flag -f can read a bundle instead
of the cluster. If a check needs the live cluster, the command reports it as not
checked.

Without arguments, the whole cluster of the current context is saved. With NODE,
only the data of this node is saved. With -f, a folder or the output of kubectl
cluster-info dump is converted to a bundle.

Secret objects are never read. The values of environment variables, and the
command lines of containers, are omitted. Tokens, keys, passwords and connection
strings in logs and other text are replaced with [redacted-...]. Names and IP
addresses are kept, so that you recognize them in the output. --hide-names
replaces them with aliases such as node-1; diagnose then finds the same causes.
Review the file before you share it.

Exit codes:

  0  everything was read
  1  internal error
  2  bad usage or unreadable input
  5  some data could not be read; the bundle lists it

If no data could be read, no file is written.`

// collecting holds the flags of collect.
type collecting struct {
	know    knowledgeFlags
	src     *sourceFlags
	output  string // "-": standard output; "": a file with a default name
	example string
	emails  bool
}

func newCollect() *cobra.Command {
	c := &collecting{src: newSourceFlags()}
	cmd := &cobra.Command{
		Use:   "collect [NODE...] [-o FILE]",
		Short: "Save evidence for a later diagnosis",
		Long:  collectHelp,
		Example: `  nodetriage collect -o cluster.tar.gz
  nodetriage collect worker-3 -o worker-3.tar.gz
  nodetriage collect -f incident/ -o incident.tar.gz
  nodetriage collect worker-3 -o worker-3.zip
  nodetriage collect -o cluster/            # a folder
  nodetriage collect --example stuck-upgrade -o shop.tar.gz
  nodetriage diagnose cluster.tar.gz`,
		RunE: c.run,
	}
	c.know.register(cmd.Flags())
	cmd.Flags().StringVarP(&c.output, "output", "o", "", "`FILE` Write to NAME.tar.gz, NAME.zip or the folder DIR/. Use \"-\" for standard output. Default: nodetriage-TIME.tar.gz.")
	cmd.Flags().BoolVar(&c.emails, "redact-emails", false, "Also replace email addresses.")
	cmd.Flags().StringVar(&c.example, "example", "", "`NAME` Save this recorded incident that ships with the program: "+wording.First(exampleNames(), len(exampleNames()))+".")
	c.src.register(cmd.Flags())
	c.src.hide.register(cmd.Flags())
	cmd.Flags().Lookup("force").Usage = "Overwrite the -o file and the --names-to file if they exist."
	c.src.cloud.register(cmd.Flags())
	_ = cmd.Flags().MarkHidden("at") // nothing is judged here
	_ = cmd.Flags().MarkHidden("show-secrets")
	return cmd
}

// run reads the evidence and writes the bundle.
func (x *collecting) run(cmd *cobra.Command, args []string) error {
	if x.output == "/dev/stdout" {
		x.output = "-"
	}
	if err := x.check(cmd); err != nil {
		return err
	}
	nodes, from, err := x.from(cmd, args)
	if err != nil {
		return err
	}
	if from.Texts, err = bundle.NewTexts(x.scratch()); err != nil {
		return badUsage(err)
	}
	defer from.Texts.Close()
	c, err := ask.Collect(cmd.Context(), from, ask.CollectOptions{Nodes: nodes})
	if err != nil {
		return orFile(err, nodes)
	}
	if err := x.write(cmd, c, from.Texts); err != nil {
		return err
	}
	return incomplete(cmd, c)
}

// check returns an error if a flag is not supported or the output cannot be written.
func (x *collecting) check(cmd *cobra.Command) error {
	switch {
	case x.src.secrets:
		return hintf("leave it out", "collect: --show-secrets is not supported: bundles never contain secrets")
	case x.src.at != "":
		return hintf("leave it out", "collect: --at is not supported")
	case x.output == "-" && isTerminal(cmd):
		return hintf("use -o FILE", "collect: standard output is a terminal")
	case x.output == "-" || x.output == "":
		return nil
	}
	return mayWrite(x.output, x.src.hide.force)
}

// from returns the nodes and the source of the evidence: an example, files or a cluster.
func (x *collecting) from(cmd *cobra.Command, args []string) ([]string, ask.From, error) {
	nodes, paths := split(args)
	from, err := x.src.from(cmd, &outputFlags{}, &x.know, paths...)
	if err == nil && x.example != "" {
		from.Source, err = recorded(cmd, x.example, args)
	}
	return nodes, from, err
}

// scratch returns the folder for texts that are read before the bundle is written.
func (x *collecting) scratch() string {
	if x.output == "-" {
		return os.TempDir()
	}
	return filepath.Dir(filepath.Clean(x.output))
}

// write writes the bundle, to a file with a summary on standard output, or to standard output.
func (x *collecting) write(cmd *cobra.Command, c *ask.Collection, texts *bundle.Texts) error {
	opt := bundle.Options{Tool: "nodetriage " + version, Emails: x.emails}
	if c.Names != nil {
		opt.Rename = c.Names
	}
	if x.output == "-" {
		_, err := bundle.Write(cmd.Context(), cmd.OutOrStdout(), c.Snapshot, texts, opt)
		return err
	}
	name := cmp.Or(x.output, bundleName(c.Snapshot))
	release := hold(cmd.Context(), "the unfinished file is removed")
	summary, err := bundle.Save(cmd.Context(), name, x.src.hide.force, c.Snapshot, texts, opt)
	release()
	if errors.Is(err, atomicfile.ErrExists) || errors.Is(err, atomicfile.ErrNotEmpty) {
		return mayForce(err)
	}
	if err != nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), describeBundle(name, c.Snapshot, summary))
	return nil
}

// mayWrite returns an error if a bundle cannot be written under this name.
func mayWrite(output string, force bool) error {
	err := bundle.Check(output, force)
	if err == nil {
		return nil
	}
	if errors.Is(err, atomicfile.ErrMount) {
		return hinted(err, "name a new folder in it: -o "+output+"bundle/")
	}
	if errors.Is(err, atomicfile.ErrCurrent) {
		return hinted(err, "name a folder in it: -o bundle/")
	}
	if info, statErr := os.Stat(output); statErr == nil && info.IsDir() && !bundle.IsFolder(output) {
		return hinted(err, "write "+output+"/ to save a folder")
	}
	return mayForce(err)
}

// incomplete prints the kinds that are missing or partial in the bundle, and returns the exit code for that.
func incomplete(cmd *cobra.Command, c *ask.Collection) error {
	kinds := c.Incomplete()
	if len(kinds) == 0 {
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "nodetriage: not read, or read in part: %s; the bundle says why\n", report.Clean(strings.Join(kinds, ", ")))
	return exitUnclear
}

func isTerminal(cmd *cobra.Command) bool {
	f, ok := cmd.OutOrStdout().(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// bundleName returns the default name of a bundle.
func bundleName(s *evidence.Snapshot) string {
	if s.TakenAt().IsZero() {
		return "nodetriage.tar.gz"
	}
	return "nodetriage-" + s.TakenAt().Format("20060102T150405Z") + ".tar.gz"
}

// describeBundle prints a summary of the bundle.
func describeBundle(name string, s *evidence.Snapshot, summary *bundle.Summary) string {
	var out strings.Builder
	d := s.Data()
	size := "" // the size is optional
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		size = ", " + bytesInWords(info.Size())
	}
	fmt.Fprintf(&out, "wrote %s (%d files%s): %s\n", name, summary.Files, size, strings.Join(counts(
		count{len(d.Nodes), "node"}, count{len(d.Pods), "pod"}, count{len(d.Events), "event"}, count{summary.Texts, "text file"},
	), ", "))
	if n := len(d.Gaps); n > 0 {
		fmt.Fprintf(&out, "%s could not be read; %s lists them\n", counts(count{n, "item"})[0], shell.Format("nodetriage diagnose {file}", name))
	}
	var replaced []count
	for _, r := range summary.Replaced {
		replaced = append(replaced, count{r.Distinct, strings.ReplaceAll(r.Kind, "-", " ")})
	}
	if len(replaced) > 0 {
		fmt.Fprintf(&out, "replaced: %s\n", strings.Join(counts(replaced...), ", "))
	}
	return out.String()
}

type count struct {
	n    int
	what string
}

// counts describes the counts that are not zero, or reports that all are zero.
func counts(list ...count) []string {
	var out []string
	for _, c := range list {
		switch {
		case c.n == 1:
			out = append(out, "1 "+c.what)
		case c.n > 1:
			out = append(out, fmt.Sprintf("%d %ss", c.n, c.what))
		}
	}
	if out == nil {
		out = []string{"nothing"}
	}
	return out
}

func bytesInWords(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}
