package documents

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// saidKey marks an object that is not a document but has names from a sentence.
const saidKey = "azSaid"

// Sentences name a cluster and its group after these words. Without a hyphen, a digit or quotes a name may be an
// ordinary word.
var (
	saidCluster = lazyregexp.New("(?i)\\bcluster(?: name)?(?: is| named| called)?[ :=]{1,3}(?:[`'\"*]{1,2}([A-Za-z][\\w.-]{0,80})[`'\"*]|([A-Za-z]\\w*(?:[.-]\\w+)+|[A-Za-z]+\\d\\w*))")
	saidGroup   = lazyregexp.New("(?i)\\b(?:resource ?group|group|rg)(?: name)?(?: is| named| called)?[ :=]{1,3}(?:[`'\"*]{1,2}([A-Za-z][\\w.-]{0,80})[`'\"*]|([A-Za-z]\\w*(?:[.-]\\w+)+|[A-Za-z]+\\d\\w*))")
	saidPool    = lazyregexp.New("(?i)\\b(?:node ?|agent ?)?pools?(?: is| named| called)?[ :=]{1,3}[`'\"]([a-z][a-z0-9]{0,11})[`'\"]")
	saidSize    = lazyregexp.New(`\b(?:[Ss]tandard_)?([DEFBLMNH][A-Z]{0,3}\d{1,3}(?:-\d{1,3})?[a-z]{0,4}(?:_[A-Z]{1,3}\d{1,4})?_v\d{1,2})\b`)
	aboutAzure  = lazyregexp.New(`(?i)\b(?:aks|azure|vmss)\b|\bMC_`)
)

// mentionsAzure reports whether the line names this cloud.
func mentionsAzure(line string) bool {
	for _, word := range []string{"aks", "AKS", "zure", "AZURE", "vmss", "VMSS", "MC_"} { // cheaper than the expression
		if strings.Contains(line, word) {
			return aboutAzure.MatchString(line)
		}
	}
	return false
}

// namesSaid returns the names in a sentence; nil: none.
func namesSaid(line string) map[string]any {
	if !strings.Contains(line, "luster") && !strings.Contains(line, "roup") && !strings.Contains(line, "rg ") && !strings.Contains(line, "ool") {
		return nil // cheaper than the expressions
	}
	out := map[string]any{}
	for name, re := range map[string]*lazyregexp.Regexp{"cluster-name": saidCluster, "cluster-group": saidGroup, "pool": saidPool} {
		if m := re.FindStringSubmatch(line); m != nil {
			out[name] = strings.Join(m[1:], "")
		}
	}
	if len(out) == 0 {
		return nil
	}
	return map[string]any{saidKey: out}
}

// namesOfWords returns the names from namesSaid.
func namesOfWords(object map[string]any) map[string]string {
	said, _ := object[saidKey].(map[string]any)
	if len(said) == 0 {
		return nil
	}
	out := map[string]string{}
	machinesIn(out, text(said, "cluster-group"))
	if out["node-resource-group"] == "" {
		put(out, "cluster-group", text(said, "cluster-group"))
	}
	put(out, "cluster-name", text(said, "cluster-name"))
	put(out, "pool", text(said, "pool"))
	return out
}

// sizeSaid returns the VM size in a line, or "".
func sizeSaid(line string) string {
	if m := saidSize.FindStringSubmatch(line); m != nil {
		return "Standard_" + m[1]
	}
	return ""
}
