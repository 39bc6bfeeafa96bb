// Command release builds what people install from one commit, under dist. GoReleaser packs programs, archives, packages, SBOMs
// and the manifests of krew, Homebrew and Scoop, as .goreleaser.yaml specifies. This program builds the rest: additional files,
// images, the Helm chart, the knowledge, the manifests of winget, checksums and provenance. It publishes nothing. It runs at
// the root of the repository. With -licences it builds nothing, and fails if a module of the programs has a licence that is not
// allowed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

var programs = []string{"./cmd/nodetriage", "./cmd/nodetriage-agent", "./cmd/nodetriage-controller"}

func main() {
	only := flag.Bool("licences", false, "only look at the licences of all modules")
	parts := flag.String("parts", "", "only write licences and SBOMs of this program next to it, as GoReleaser asks for")
	goreleaser := flag.String("goreleaser", "", "GoReleaser as a Go package with its version")
	chosen := flag.String("targets", "", "systems to build for, as linux/amd64,darwin/arm64; empty: all")
	tags := flag.String("tags", "", "build tags of nodetriage")
	agentTags := flag.String("agent-tags", "", "build tags of the agent")
	builder := flag.String("builder", "", "who builds, for the provenance; empty: none is written")
	key := flag.String("key", "", "private key of minisign that signs the knowledge; empty: the knowledge is not signed")
	flag.Parse()
	var err error
	switch {
	case *only:
		err = licencesOf(*tags)
	case *parts != "":
		err = writeParts(*parts)
	default:
		err = run(*goreleaser, strings.FieldsFunc(*chosen, func(c rune) bool { return c == ',' }), *tags, *agentTags, *builder, *key)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// licencesOf checks the licences of all modules of the programs, on all systems.
func licencesOf(tags string) error {
	var bad []error
	for _, goos := range []string{"linux", "darwin", "windows"} {
		packages := programs
		if goos != "linux" {
			packages = programs[:1]
		}
		_, err := grantsOf(goos, "amd64", tags, packages...)
		bad = append(bad, err)
	}
	return errors.Join(bad...)
}

func run(goreleaser string, chosen []string, tags, agentTags, builder, key string) error {
	r, err := newRelease(tags, agentTags)
	if err != nil {
		return err
	}
	if err := errors.Join(r.help(), r.unit()); err != nil {
		return err
	}
	made, err := r.goreleaser(goreleaser, chosen)
	if err != nil {
		return err
	}
	if err := r.collect(made); err != nil {
		return err
	}
	return errors.Join(r.knowledge(key), r.writeImages(), r.chart(), r.manifests(), r.sums(), r.provenance(builder))
}
