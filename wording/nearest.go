package wording

import "strings"

// Nearest returns the name that was probably meant, or "": the closest that is
// only a few letters away.
func Nearest(typed string, names []string) string {
	best, distance := "", max(2, len(typed)/4)+1
	for _, name := range names {
		if d := edits(typed, name); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// OneOf says what was probably meant, or what there is.
func OneOf[S ~string](typed string, all []S) string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = string(s)
	}
	if near := Nearest(typed, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "use one of " + strings.Join(names, ", ")
}

// edits is the Levenshtein distance; of long texts, which are no names, it is as far as can be.
func edits(a, b string) int {
	if len(a) > 200 || len(b) > 300 {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
