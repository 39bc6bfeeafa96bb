package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
)

// Concerns reports whether a full quota or a lock, by what is said of it, can stop this pool: the quota counts its size or all cores
// of the region, the lock lies where its machines or its cluster do.
func Concerns(pool *evidence.CloudPool, text string) bool {
	text = strings.ToLower(text)
	if name, isQuota := strings.CutPrefix(text, "quota "); isQuota {
		name, _, _ = strings.Cut(name, ":")
		return name == "cores" || strings.Contains(name, "regional") || family(name) != "" && family(name) == family(pool.Size)
	}
	parts := strings.Split(strings.ToLower(pool.ID), "/")
	if i := slices.Index(parts, "resourcegroups"); i >= 0 && i+1 < len(parts) && strings.HasSuffix(text, " on "+parts[i+1]) {
		return true
	}
	return strings.Contains(text, " on mc_") || strings.HasSuffix(text, " on "+strings.ToLower(pool.Name)) || strings.Contains(text, "for everybody but")
}

// sizeParts are the letters and the version of a size (Standard_D4s_v5) or of the name of its family (standardDSv5Family, Standard DSv5 Family vCPUs).
var sizeParts = lazyregexp.New(`^(?:standard)?[_ ]?([a-z]+?)\d*(?:-\d+)?([a-z]*?)_?(?:(v\d+))?(?:[_ ]?family.*)?$`)

// family is what a size and its family's quota have in common: dsv5.
func family(name string) string {
	m := sizeParts.FindStringSubmatch(strings.ToLower(name))
	if m == nil {
		return ""
	}
	return m[1] + m[2] + m[3]
}
