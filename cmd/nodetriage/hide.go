package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// hideFlags are the flags that replace names in the output of a command.
type hideFlags struct {
	on    bool
	key   string // the file that maps aliases to names
	force bool   // overwrite files
}

func (h *hideFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&h.on, "hide-names", false, "replace the names of nodes, pods, namespaces, volumes, hosts, people and of a cloud's groups, and addresses, by stand-ins such as node-1")
	set.StringVar(&h.key, "names-to", "", "with --hide-names: write to this `FILE` which stand-in stands for which name, for yourself")
	set.BoolVar(&h.force, "force", false, "replace the file that is written if it exists already")
}

// check returns an error if the file of the names cannot be written.
func (h *hideFlags) check() error {
	if h.key == "" {
		return nil
	}
	if !h.on {
		return usagef("write %s: --names-to is of use with --hide-names only", h.key)
	}
	if err := atomicfile.Check(h.key, h.force); err != nil {
		return badUsage(mayForce(fmt.Errorf("--names-to: %w", err)))
	}
	return nil
}

// keep writes the file that maps aliases to names, if the user wants it.
func (h *hideFlags) keep(names *anonymize.Names) error {
	if h.key == "" {
		return nil
	}
	var b strings.Builder
	all := names.All()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%s\t%s\n", all[name], name)
	}
	if err := atomicfile.WriteBytes(h.key, atomicfile.Options{Replace: h.force}, []byte(b.String())); err != nil {
		return badUsage(mayForce(fmt.Errorf("--names-to: %w", err)))
	}
	return nil
}
