package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/standin"
)

// hideFlags replace names in what a command writes.
type hideFlags struct {
	on    bool
	key   string         // the file that tells which stand-in stands for what
	force bool           // files that are written may be there already
	names *standin.Names // nil until something was hidden
}

func (h *hideFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&h.on, "hide-names", false, "replace the names of nodes, pods, namespaces, volumes, hosts, people and of a cloud's groups, and addresses, by stand-ins such as node-1")
	set.StringVar(&h.key, "names-to", "", "with --hide-names: write to this `FILE` which stand-in stands for which name, for yourself")
	set.BoolVar(&h.force, "force", false, "replace the file that is written if it exists already")
}

// hidden is the evidence with stand-ins, if that is wanted.
func (h *hideFlags) hidden(s *evidence.Snapshot, k *knowledge, texts *bundle.Texts) (*evidence.Snapshot, error) {
	if !h.on {
		if h.key != "" {
			return nil, usagef("write %s: --names-to is of use with --hide-names only", h.key)
		}
		return s, nil
	}
	if err := h.mayWrite(); err != nil {
		return nil, err
	}
	out, names, err := k.hide(s, texts)
	if err != nil {
		return nil, err
	}
	h.names = names
	if h.key == "" {
		return out, nil
	}
	var b strings.Builder
	all := names.All()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%s\t%s\n", all[name], name)
	}
	if err := atomicfile.WriteBytes(h.key, atomicfile.Options{Replace: h.force}, []byte(b.String())); err != nil {
		return nil, &usageError{mayForce(fmt.Errorf("--names-to: %w", err))}
	}
	return out, nil
}

// mayWrite reports what is in the way of the file of the names.
func (h *hideFlags) mayWrite() error {
	if h.key == "" {
		return nil
	}
	if err := atomicfile.Check(h.key, h.force); err != nil {
		return &usageError{mayForce(fmt.Errorf("--names-to: %w", err))}
	}
	return nil
}

// args are the names that a user gave, as the evidence has them now; paths stay.
func (h *hideFlags) args(args []string) []string {
	nodes, out := split(args)
	for _, a := range nodes {
		out = append(out, h.of(a))
	}
	return out
}

// of is one name, as the evidence has it now.
func (h *hideFlags) of(name string) string {
	if h.names == nil {
		return name
	}
	return h.names.Of(name)
}

// hide replaces the names in the evidence, with those that the kept texts speak of. The Snapshot must not be used any more.
func (k *knowledge) hide(s *evidence.Snapshot, texts *bundle.Texts) (*evidence.Snapshot, *standin.Names, error) {
	names := standin.New(func(word string) bool { return k.words()[word] })
	names.Declare(s.Data())
	if texts != nil {
		if err := texts.Lines(names.Learn); err != nil {
			return nil, nil, fmt.Errorf("read the kept texts: %w", err)
		}
	}
	return names.Hide(s.Data()), names, nil
}

// escapes are signs of expressions, which are no letters of the words beside them.
var escapes = strings.NewReplacer(`\b`, " ", `\d`, " ", `\s`, " ", `\S`, " ", `\w`, " ", `\n`, " ", `(?i)`, " ")

// words are what components write and signatures look for.
func (k *knowledge) words() map[string]bool {
	k.gathered.Do(func() {
		out := map[string]bool{}
		add := func(text string) {
			for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
				out[w] = true
				for part := range strings.SplitSeq(w, "-") {
					out[part] = true
				}
			}
		}
		for _, s := range k.signatures.All() {
			add(escapes.Replace(s.Pattern))
		}
		for _, c := range k.catalog.Causes() {
			add(c.ID + " " + c.Title)
		}
		for _, w := range []string{"control-plane node nodes pod pods master worker default system kube kubernetes host app apps dev prod test run var lib etc log logs opt home root tmp usr bin data config image images registry server client agent proxy api cloud network storage volume volumes memory cpu disk main web web-0 name namespace status state type kind spec metadata labels items true false null none"} {
			add(w)
		}
		delete(out, "")
		k.all = out
	})
	return k.all
}
