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
	set.BoolVar(&h.on, "hide-names", false, "Replace names (nodes, pods, namespaces, volumes, hosts, users, cloud resource groups) and addresses with aliases such as node-1.")
	set.StringVar(&h.key, "names-to", "", "`FILE` With --hide-names: write the list of aliases and real names to this file.")
	set.BoolVar(&h.force, "force", false, "Overwrite the --names-to file if it exists.")
}

// check returns an error if the file of the names cannot be written.
func (h *hideFlags) check() error {
	if h.key == "" {
		return nil
	}
	if !h.on {
		return hintf("add --hide-names", "--names-to requires --hide-names")
	}
	if err := atomicfile.Check(h.key, h.force); err != nil {
		return mayForce(fmt.Errorf("--names-to: %w", err))
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
		return mayForce(fmt.Errorf("--names-to: %w", err))
	}
	return nil
}
