// Command accuracy plays the recorded cases in seven kinds of change, and measures foreign texts and fresh incidents. See
// docs/accuracy.md.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/accuracy"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run() error {
	cases := flag.String("cases", "cases", "folder of recorded cases")
	one := flag.String("run", "", "only cases whose name holds this")
	kinds := flag.String("kind", "", "only these kinds, separated by commas: "+strings.Join(accuracy.Kinds(), ", "))
	variant := flag.String("variant", "", "only this variant of a kind")
	seed := flag.Uint64("seed", 1, "the chance of all plays")
	of := flag.Int("sample", 1, "play one in so many")
	show := flag.Bool("show", false, "print the evidence and the report of each failure")
	groups := flag.Int("groups", 25, "how many groups of failures to print")
	flag.Parse()

	w, err := accuracy.NewWorld(*cases)
	if err != nil {
		return err
	}
	s := accuracy.Sample{Case: *one, Seed: *seed, Of: *of}
	if *kinds != "" {
		s.Kinds = strings.Split(*kinds, ",")
	}
	results := w.Run(s)
	if *variant != "" {
		results = slices.DeleteFunc(results, func(r accuracy.Result) bool { return r.Variant != *variant })
	}
	printTallies(results)
	printGroups(results, *groups)
	if *show {
		for _, r := range results {
			if r.Reason != "" {
				if err := printFailure(w, r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func printTallies(results []accuracy.Result) {
	for _, t := range accuracy.Tallies(results) {
		if t.Played+len(t.Skipped) == 0 {
			continue
		}
		fmt.Printf("%-18s %4d cases %5d plays %5d failed   goal: %s\n", t.Kind, t.Cases, t.Played, t.Failed, t.Goal)
		for _, reason := range byCount(t.Reasons) {
			fmt.Printf("    %5d failed   %s\n", t.Reasons[reason], reason)
		}
		for _, why := range byCount(t.Skipped) {
			fmt.Printf("    %5d skipped  %s\n", t.Skipped[why], why)
		}
	}
}

func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if m[a] != m[b] {
			return m[b] - m[a]
		}
		return strings.Compare(a, b)
	})
}

func printGroups(results []accuracy.Result, limit int) {
	groups := accuracy.Groups(results)
	for i, g := range groups {
		if i == limit {
			fmt.Printf("\n... %d more groups\n", len(groups)-limit)
			return
		}
		fmt.Printf("\n%d. %s: %s [%s]: %d\n", i+1, g.Kind, g.Reason, g.Carriers, len(g.Failures))
		var causes []string
		for j, c := range byCount(g.Causes) {
			if j == 8 {
				causes = append(causes, fmt.Sprintf("and %d more", len(g.Causes)-j))
				break
			}
			causes = append(causes, fmt.Sprintf("%s %d", c, g.Causes[c]))
		}
		fmt.Printf("   causes: %s\n", strings.Join(causes, ", "))
		for _, r := range g.Failures[:min(2, len(g.Failures))] {
			fmt.Printf("   %s\n       %s\n", r.Repeat(), r.Detail)
		}
	}
}

func printFailure(w *accuracy.World, r accuracy.Result) error {
	files, _ := r.Make()
	answer := w.Engine.Judge(files.FS())
	text, err := answer.Text()
	if err != nil {
		return err
	}
	fmt.Printf("\n===== %s\n%s: %s\n\n%s\n%s", r.Repeat(), r.Reason, r.Detail, files, text)
	return nil
}
