//go:build unix

package faulty_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab/faulty"
)

// trial is one run to evaluate.
type trial struct {
	command command
	fault   faulty.Fault
	well    answer
	limits  map[faulty.Read]int // one of the lists of the command
}

func (t trial) String() string {
	return fmt.Sprintf("%s, page %d of %s: %s", t.command.name, t.fault.Page, t.fault.Read, t.fault.How)
}

// No answer depends on an incomplete list. If any page of any list fails, with any failure, the answer reports that
// evidence is missing, and names the list.
func TestUnreadIsNotWell(t *testing.T) {
	places := open(t, "place")
	saveBefore(t, places)
	judgeAll(t, places, commands)
}

// judgeAll tests every command with every selected fault.
func judgeAll(t *testing.T, places []*place, commands []command) {
	t.Helper()
	trials := plan(t, places[0], commands)
	report(t, trials, play(t, places, trials))
}

// open starts as many places as programs may run in parallel.
func open(t *testing.T, name string) []*place {
	t.Helper()
	var out []*place
	for i := range max(1, *workers) {
		p, err := newPlace(fmt.Sprintf("%s-%d", name, i))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		out = append(out, p)
	}
	return out
}

// plan runs every command without a fault, checks its answer, and lists the trials for its reads.
func plan(t *testing.T, p *place, commands []command) []trial {
	t.Helper()
	var out []trial
	for _, c := range commands {
		if *only != "" && !regexp.MustCompile(*only).MatchString(c.name) {
			continue
		}
		p.Paginate(nil)
		whole := c.control(t, p)
		limits, pages := inThree(t, whole.reads)
		p.Paginate(limits)
		few, err := p.ask(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for r, n := range pages {
			if few.pages[r] < n {
				delete(limits, r) // the command requests only its first page, so the requested page size remains
			}
		}
		p.Paginate(limits)
		out = append(out, c.trials(c.control(t, p), limits)...)
	}
	return out
}

// control runs the command without a fault.
func (c command) control(t *testing.T, p *place) answer {
	t.Helper()
	a, err := p.ask(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.code != c.code() {
		t.Errorf("%s of a cluster that is well: %s", c.name, a)
	}
	for _, claim := range c.well {
		if !strings.Contains(a.out, claim) {
			t.Errorf("%s of a cluster that is well does not say %q: %s", c.name, claim, a)
		}
	}
	return a
}

// trials returns all faults of the reads of the command.
func (c command) trials(well answer, limits map[faulty.Read]int) []trial {
	var out []trial
	for _, r := range well.reads {
		last := well.pages[r]
		pages := slices.Compact(slices.Sorted(slices.Values([]int{1, min(2, last), last})))
		var all []trial
		for _, page := range pages {
			for _, how := range faulty.Failures {
				all = append(all, trial{c, faulty.Fault{Read: r, Page: page, How: how}, well, limits})
			}
		}
		for _, how := range []faulty.Failure{interrupt, faulty.Endless} {
			if how == interrupt || r.IsList() && last > 1 {
				all = append(all, trial{c, faulty.Fault{Read: r, Page: min(2, last), How: how}, well, limits})
			}
		}
		out = append(out, c.choose(r, all)...)
	}
	return out
}

// choose selects the number of trials per read that -each sets, in turn.
func (c command) choose(r faulty.Read, all []trial) []trial {
	chance := rand.New(rand.NewPCG(*seed, hash(c.name+r.String())))
	if chance.IntN(max(1, *of)) > 0 {
		return nil
	}
	if *each <= 0 || *each >= len(all) {
		return all
	}
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:*each]
}

// result is the mistakes of one trial.
type result struct {
	wrong  []string
	answer answer
}

// play runs the trials, in parallel on all places.
func play(t *testing.T, places []*place, trials []trial) []result {
	t.Helper()
	results := make([]result, len(trials))
	begin := time.Now()
	sideBySide(t, places, len(trials), func(ctx context.Context, p *place, i int) error {
		x := trials[i]
		p.Paginate(x.limits)
		for p.slow = 1; ; p.slow *= 4 {
			a, err := p.ask(ctx, x.command, &x.fault)
			results[i] = result{x.command.judge(a, x.well, &x.fault), a}
			if err != nil || len(results[i].wrong) == 0 || !hurried(a) || p.slow > 10 {
				return err
			}
		}
	})
	t.Logf("%d runs in %s, seed %d", len(trials), time.Since(begin).Round(time.Second), *seed)
	return results
}

// hurried reports whether a request timed out. On a busy machine it may be a different request than the one that must
// fail, and the answer is about that one. The run is then repeated with more time.
func hurried(a answer) bool { return strings.Contains(a.out+a.stderr, "timed out") }

// sideBySide calls f for each number below n, one at a time on each place.
func sideBySide(t *testing.T, places []*place, n int, f func(ctx context.Context, p *place, i int) error) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for _, p := range places {
		group.Go(func() error {
			for i := range next {
				if err := f(ctx, p, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// report fails the test with the first wrong answers of each command, and counts all.
func report(t *testing.T, trials []trial, results []result) {
	t.Helper()
	all, bad := map[string]int{}, map[string]int{}
	wrong, shown := 0, map[string]int{}
	for i, x := range trials {
		all[x.command.name]++
		all["after "+string(x.fault.How)]++
		if len(results[i].wrong) == 0 {
			continue
		}
		wrong++
		bad[x.command.name]++
		bad["after "+string(x.fault.How)]++
		if shown[x.command.name]++; shown[x.command.name] > 3 {
			t.Fail()
			continue
		}
		t.Errorf("%s: %s\n%s", x, strings.Join(results[i].wrong, "; "), results[i].answer)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-30s %5d of %5d wrong", name, bad[name], all[name])
	}
	t.Logf("%d of %d answers are wrong", wrong, len(trials))
	keep(t, trials, results)
}

// keep writes one line for each wrong answer, for the developer.
func keep(t *testing.T, trials []trial, results []result) {
	t.Helper()
	if *failures == "" {
		return
	}
	var out strings.Builder
	for i, x := range trials {
		if len(results[i].wrong) > 0 {
			fmt.Fprintf(&out, "%s\t%s\n", x, strings.Join(results[i].wrong, "; "))
		}
	}
	if err := os.WriteFile(*failures, []byte(out.String()), 0o644); err != nil {
		t.Error(err)
	}
}

// hash returns a seed from a name.
func hash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// saveBefore saves the complete cluster for diff, at every place.
func saveBefore(t *testing.T, places []*place) {
	t.Helper()
	bundle, err := places[0].run(t.Context(), nil, "collect", "-o", before)
	if err != nil || bundle.code != good {
		t.Fatalf("save the cluster: %v: %s", err, bundle)
	}
	data, err := os.ReadFile(filepath.Join(places[0].dir, before))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places[1:] {
		if err := os.WriteFile(filepath.Join(p.dir, before), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inThree returns the page size with which each list has three pages, and the number of pages.
func inThree(t *testing.T, reads []faulty.Read) (limits, pages map[faulty.Read]int) {
	t.Helper()
	client, err := plane.Client()
	if err != nil {
		t.Fatal(err)
	}
	limits, pages = map[faulty.Read]int{}, map[faulty.Read]int{}
	for _, r := range reads {
		if !r.IsList() || r.Cached || strings.HasSuffix(r.Resource, ".metrics.k8s.io") {
			continue
		}
		n, err := faulty.Count(t.Context(), client.Discovery().RESTClient(), r)
		if err != nil {
			t.Fatal(err)
		}
		limits[r] = max(1, (n+2)/3)
		pages[r] = max(1, (n+limits[r]-1)/limits[r])
	}
	return limits, pages
}
