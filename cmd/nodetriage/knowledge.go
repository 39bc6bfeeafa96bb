package main

import (
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/ask"
)

// knowledgeFlags are the flags of the commands that judge or explain.
type knowledgeFlags struct {
	paths []string
	key   string
}

func (f *knowledgeFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.paths, "catalog", nil, "`PATH` Add your own knowledge: a folder with causes (causes/*.md), questions (questions/*.md), symptoms (symptoms.yaml) and message patterns (signatures/*.yaml), or an archive that \"nodetriage knowledge pack\" created. Repeatable.")
	set.StringVar(&f.key, "catalog-key", "", "`FILE` Public key (minisign) that verifies --catalog archives, or \"none\" to skip the verification. Default: the key that \"nodetriage knowledge use\" stored.")
}

// load returns the built-in knowledge with the archive in use and the additions of the flags.
func (f *knowledgeFlags) load() (*ask.Knowledge, error) {
	used, err := inUse()
	if err != nil {
		return nil, err
	}
	added := used
	for _, path := range f.paths {
		a, err := openAddition(path, f.key)
		if err != nil {
			return nil, err
		}
		added = append(added, a)
	}
	k, err := ask.NewKnowledge(version, added...)
	if err != nil && len(used) > 0 {
		if _, alone := ask.NewKnowledge(version, used...); alone != nil {
			return nil, wayBack(alone)
		}
	}
	return k, err
}
