package collect

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// madeUp matches the suffixes that controllers add to pod names: those of a ReplicaSet and a pod, or of a pod alone.
var madeUp = lazyregexp.New(`(?:-[a-z0-9]{6,10})?-[a-z0-9]{5}$|-\d{1,5}$`)

// byTenantsName reports whether a signature matches only a name in the event that a tenant chose. That is the name of the object,
// or of containers named after it. A pod named "gateway" proves nothing about a gateway.
func byTenantsName(sig *signatures.Signature, e *evidence.Event, text string) bool {
	if sig == nil || e.Object.Name == "" || e.Object.Namespace == "" || evidence.ComponentNamespace(e.Object.Namespace) {
		return false
	}
	plain := maskName(text, e.Object.Name)
	if stem := madeUp.ReplaceAllString(e.Object.Name, ""); stem != "" {
		plain = strings.ReplaceAll(plain, "container "+stem+" ", "container name ")
	}
	if plain == text {
		return false
	}
	_, without := sig.Match(plain)
	return !without
}

// maskName replaces whole occurrences of a name.
func maskName(text, name string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := at + len(name)
		whole := (at == 0 || !ofName(text[at-1])) && (end == len(text) || !ofName(text[end]))
		out.WriteString(text[:at])
		if whole {
			out.WriteString("name")
		} else {
			out.WriteString(name)
		}
		text = text[end:]
	}
}

// ofName reports whether a byte may be part of an object name.
func ofName(b byte) bool {
	switch {
	case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '.':
		return true
	}
	return false
}
