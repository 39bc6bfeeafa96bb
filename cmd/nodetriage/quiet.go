package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/ignore"
)

// quietFlags select what is shown and counted.
type quietFlags struct {
	files     []string
	severity  string
	certainty string
	causes    []string
	pools     []string
}

func (f *quietFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.files, "exceptions", nil, "`FILE` Suppress the findings that this file lists, each until a date. Repeatable.")
}

func (f *quietFlags) registerFilter(set *pflag.FlagSet) {
	set.StringVar(&f.severity, "severity", "", "`SEVERITY` Minimum severity: critical, error, warning or info.")
	set.StringVar(&f.certainty, "certainty", "", "`CERTAINTY` Minimum certainty: certain, likely or possible.")
	set.StringSliceVar(&f.causes, "cause", nil, "`CAUSE` Show only findings with this cause. Repeatable.")
	set.StringSliceVar(&f.pools, "pool", nil, "`POOL` Show only findings on this node pool. Repeatable.")
	set.Lookup("namespace").Usage = "Show only findings on this namespace and on the nodes of its pods."
}

// filter returns the filter of the flags; nil if no flag is set.
func (f *quietFlags) filter(cmd *cobra.Command, src *sourceFlags) *triage.Filter {
	filter := triage.Filter{Severity: catalog.Severity(f.severity), Certainty: triage.Certainty(f.certainty), Causes: f.causes, Pools: f.pools}
	if cmd.Flags().Changed("namespace") {
		filter.Namespace = src.cluster.overrides.Context.Namespace
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
