package triage

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// variantsOf returns the ids of the cause's variants that the evidence shows. Summaries do not count, because one signature may
// word several.
func variantsOf(cause *catalog.Cause, group []*statement) []string {
	var out []string
	for _, v := range cause.Variants {
		if reported(group, v.Signatures) || tell(group, v.Said) {
			out = append(out, v.ID)
		}
	}
	return out
}

// variantOf returns the variant that the evidence shows alone, if the most certain claim shows it. Otherwise it returns an empty one.
func variantOf(cause *catalog.Cause, group []*statement) catalog.Variant {
	variants := variantsOf(cause, group)
	if len(variants) != 1 {
		return catalog.Variant{}
	}
	i := slices.IndexFunc(cause.Variants, func(v catalog.Variant) bool { return v.ID == variants[0] })
	if v := cause.Variants[i]; showsFirst(group[0], v) {
		return v
	}
	return catalog.Variant{}
}

// titleOf returns the title of the variant that the evidence shows, or else of the cause.
func titleOf(cause *catalog.Cause, group []*statement) string {
	return cmp.Or(variantOf(cause, group).Title, cause.Title)
}

// severityOf returns the severity of the variant that a statement shows, or else of its cause.
func severityOf(st *statement) catalog.Severity {
	if !slices.ContainsFunc(st.cause.Variants, func(v catalog.Variant) bool { return v.Severity != "" }) {
		return st.cause.Severity
	}
	return cmp.Or(variantOf(st.cause, []*statement{st}).Severity, st.cause.Severity)
}

// showsFirst reports whether the most certain claim of a statement shows the variant, by its signature or its words.
func showsFirst(st *statement, v catalog.Variant) bool {
	surest := *st
	surest.claims, surest.effects = st.claims[:min(1, len(st.claims))], nil
	return reported([]*statement{&surest}, v.Signatures) || tell([]*statement{&surest}, v.Said)
}

// reported reports whether a claim of the statements comes from one of the signatures.
func reported(group []*statement, signatures []string) bool {
	return slices.ContainsFunc(group, func(st *statement) bool {
		return slices.ContainsFunc(st.claims, func(c Claim) bool { return slices.Contains(signatures, c.Key) })
	})
}

// concerns reports whether something for some variants applies to the shown variants. It does if it is for all, or if no variant is
// known.
func concerns(variants, shown []string) bool {
	if len(variants) == 0 || len(shown) == 0 {
		return true
	}
	return slices.ContainsFunc(variants, func(id string) bool { return slices.Contains(shown, id) })
}
