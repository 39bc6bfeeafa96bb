package main

import (
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/collect/survey"
)

// sourceFlags select the evidence. Every read-only command has them.
type sourceFlags struct {
	files   []string
	at      string
	secrets bool // are shown
	cluster *clusterFlags
	cloud   cloudFlags
	hide    hideFlags
	long    bool         // judging takes longer than reading
	lists   survey.Lists // kept up to date by watches; nil: none
}

func newSourceFlags() *sourceFlags {
	return &sourceFlags{cluster: newClusterFlags()}
}

func (f *sourceFlags) register(set *pflag.FlagSet) {
	set.StringArrayVarP(&f.files, "filename", "f", nil, "`PATH` Read saved evidence instead of a cluster: a bundle, a folder, output of kubectl or of the cloud CLI (JSON, YAML, text), or logs. Use \"-\" for standard input. Repeatable.")
	set.StringVar(&f.at, "at", "", "`TIME` Judge the evidence as of this time (RFC 3339) and ignore later events and log lines. Default: now, or the time when saved evidence was collected.")
	set.BoolVar(&f.secrets, "show-secrets", false, "Show passwords, tokens and keys instead of [redacted-...]. No effect on a bundle, because nodetriage collect has already redacted it.")
	f.cluster.AddFlags(set)
}

// time returns the time to judge by; zero means that of the evidence.
func (f *sourceFlags) time() (time.Time, error) {
	if f.at == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, f.at)
	if err != nil {
		return time.Time{}, hintf("use a time like 2026-11-21T03:04:05Z", "invalid value %q for --at", f.at)
	}
	return t.UTC(), nil
}

// from validates the flags and returns the source of an answer. paths are read like those of -f.
func (f *sourceFlags) from(cmd *cobra.Command, out *outputFlags, know *knowledgeFlags, paths ...string) (from ask.From, err error) {
	if err := out.check(); err != nil {
		return from, err
	}
	if from.At, err = f.time(); err != nil {
		return from, err
	}
	if from.Knowledge, err = know.load(); err != nil {
		return from, err
	}
	if err := f.hide.check(); err != nil {
		return from, err
	}
	if f.hide.on {
		from.HideNames = f.hide.keep
	}
	from.Source, out.paths = f.source(cmd, paths...), slices.Concat(paths, f.files)
	from.Progress, from.ShowSecrets = f.progress(), f.secrets
	return from, nil
}

// source returns the files or the cluster of the flags.
func (f *sourceFlags) source(cmd *cobra.Command, paths ...string) ask.Source {
	paths = append(paths, f.files...)
	if len(paths) > 0 {
		return ask.Files{Paths: paths, Stdin: cmd.InOrStdin()}
	}
	return f.live()
}

// progress shows the progress of a reading, and limits garbage while a cluster is read.
func (f *sourceFlags) progress() func(ask.Progress) {
	var shown *progress
	stop := func() {}
	return func(p ask.Progress) {
		switch p.Phase {
		case ask.Begun:
			unit := bytesInWords
			if p.Objects {
				unit = objectsInWords
			}
			shown = startProgress("reading "+p.Reading, p.Total, unit)
			if p.Objects {
				stop = boundGarbage(garbageOf(p.Whole))
			}
		case ask.Going:
			shown.done.Store(p.Done)
		case ask.Ended:
			if p.Objects && f.long {
				stop()
				debug.SetGCPercent(moreGarbage)
			}
			shown.end()
		}
	}
}
