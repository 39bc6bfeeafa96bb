package collect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// order makes the evidence independent of the order in which it was read, from a cluster or from files.
func order(d *evidence.Data) {
	slices.SortStableFunc(d.Gaps, func(a, b evidence.Gap) int {
		return cmp.Or(strings.Compare(a.What, b.What), strings.Compare(a.Why, b.Why), cmp.Compare(a.How, b.How))
	})
	byText(d.CloudResources, func(r evidence.CloudResource) []string { return []string{r.Item().Ref.Source} })
	d.Order()
}

func byText[T any](list []T, text func(T) []string) {
	slices.SortStableFunc(list, func(a, b T) int { return slices.Compare(text(a), text(b)) })
}
