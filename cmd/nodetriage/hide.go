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

// hideFlags replace names in what a command writes.
type hideFlags struct {
	on    bool
	key   string // the file that tells which stand-in stands for what
	force bool   // files that are written may be there already
}

func (h *hideFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&h.on, "hide-names", false, "replace the names of nodes, pods, namespaces, volumes, hosts, people and of a cloud's groups, and addresses, by stand-ins such as node-1")
	set.StringVar(&h.key, "names-to", "", "with --hide-names: write to this `FILE` which stand-in stands for which name, for yourself")
	set.BoolVar(&h.force, "force", false, "replace the file that is written if it exists already")
}

// check reports what is in the way of the file of the names.
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

// keep writes which stand-in stands for which name, if that is wanted.
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
