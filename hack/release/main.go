// Command release makes what people install from one commit, under dist: archives, packages, images, the Helm chart,
// the knowledge, manifests of catalogues, lists of parts and sums. Nothing is published. It runs at the root of the repository. With -licences it builds nothing, and fails if a
// module of the programs has a licence outside the list.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

var (
	programs = []string{"./cmd/nodetriage", "./cmd/nodetriage-agent"}
	targets  = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
)

func main() {
	only := flag.Bool("licences", false, "only look at the licences of all modules")
	chosen := flag.String("targets", strings.Join(targets, ","), "systems to build for")
	tags := flag.String("tags", "", "build tags of nodetriage")
	agentTags := flag.String("agent-tags", "", "build tags of the agent")
	builder := flag.String("builder", "", "who builds, for the provenance; empty: none is written")
	key := flag.String("key", "", "private key of minisign that signs the knowledge; empty: it has no signature of its own")
	out := flag.String("o", "dist", "folder to write to")
	flag.Parse()
	err := run(*only, strings.Split(*chosen, ","), *tags, *agentTags, *builder, *key, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(only bool, chosen []string, tags, agentTags, builder, key, out string) error {
	systems := []string{"linux", "darwin", "windows"}
	grants := map[string]grant{}
	var bad []error
	for _, goos := range systems {
		packages := programs
		if goos != "linux" {
			packages = programs[:1]
		}
		g, err := grantsOf(goos, packages...)
		if err != nil {
			bad = append(bad, err)
		}
		for id, of := range g {
			grants[id] = of
		}
	}
	if err := errors.Join(bad...); err != nil {
		return err
	}
	if only {
		return nil
	}
	r, err := newRelease(out, tags, agentTags, grants)
	if err != nil {
		return err
	}
	if err := r.help(); err != nil {
		return err
	}
	if err := r.knowledge(key); err != nil {
		return err
	}
	for _, target := range chosen {
		goos, goarch, ok := strings.Cut(target, "/")
		if !ok || !slices.Contains(targets, target) {
			return fmt.Errorf("target %q is none of %s", target, strings.Join(targets, ", "))
		}
		if err := r.program(goos, goarch); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		if goos == "linux" {
			if err := r.agent(goarch); err != nil {
				return fmt.Errorf("%s: %w", target, err)
			}
		}
	}
	return errors.Join(r.writeImages(), r.chart(), r.manifests(), r.sums(), r.provenance(builder))
}
