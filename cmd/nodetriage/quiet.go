package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/ignore"
)

// quietFlags choose what is told and counts.
type quietFlags struct {
	files     []string
	severity  string
	certainty string
	causes    []string
	pools     []string
}

func (f *quietFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.files, "exceptions", nil, "leave out what this `FILE` lists: causes on subjects, until a day (repeatable)")
}

func (f *quietFlags) registerFilter(set *pflag.FlagSet) {
	set.StringVar(&f.severity, "severity", "", "show what is at least this `SEVERITY`: critical, error, warning, info")
	set.StringVar(&f.certainty, "certainty", "", "show what is at least this `CERTAINTY`: certain, likely, possible")
	set.StringSliceVar(&f.causes, "cause", nil, "show only this `CAUSE` (repeatable)")
	set.StringSliceVar(&f.pools, "pool", nil, "show only what concerns this `POOL` (repeatable)")
	set.Lookup("namespace").Usage = "show only what concerns this namespace, and the nodes on which its pods are"
}

// filter is what the flags choose; nil: nothing was chosen.
func (f *quietFlags) filter(cmd *cobra.Command, src *sourceFlags) *triage.Filter {
	filter := triage.Filter{Severity: catalog.Severity(f.severity), Certainty: triage.Certainty(f.certainty), Causes: f.causes, Pools: f.pools}
	if cmd.Flags().Changed("namespace") {
		filter.Namespace = *src.cluster.Namespace
	}
	least := filter.Severity != "" || filter.Certainty != ""
	if least || filter.Namespace != "" || len(filter.Causes)+len(filter.Pools) > 0 {
		return &filter
	}
	return nil
}

// read reads the files of exceptions.
func (f *quietFlags) read(k *ask.Knowledge) (all *ignore.List, err error) {
	for _, name := range f.files {
		data, err := readFile(name, maxExceptions)
		if err != nil {
			return nil, usagef("read exceptions %s: %w", name, err)
		}
		list, err := k.Exceptions(name, data)
		if err != nil {
			return nil, err
		}
		all = all.Join(list)
	}
	return all, nil
}
