package accuracy

// Tally counts the plays of one kind.
type Tally struct {
	Kind, Goal            string
	Cases, Played, Failed int            // cases with at least one play; plays
	Skipped               map[string]int // plays, by reason
	Reasons               map[string]int // failed plays
}

// Tallies counts results by kind, in the order of the kinds.
func Tallies(results []Result) []Tally {
	var out []Tally
	for _, k := range kinds {
		t := Tally{Kind: k.name, Goal: k.goal, Skipped: map[string]int{}, Reasons: map[string]int{}}
		cases := map[string]bool{}
		for _, r := range results {
			switch {
			case r.Kind != k.name:
			case r.Skip != "":
				t.Skipped[r.Skip]++
			default:
				t.Played++
				cases[r.Case.Name] = true
				if r.Reason != "" {
					t.Failed++
					t.Reasons[r.Reason]++
				}
			}
		}
		t.Cases = len(cases)
		out = append(out, t)
	}
	return out
}
