package collect

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/signatures"
)

// madeUp are the ends that controllers give to the names of pods: those of a ReplicaSet and of a pod, or of a pod alone.
var madeUp = lazyregexp.New(`(?:-[a-z0-9]{6,10})?-[a-z0-9]{5}$|-\d{1,5}$`)

// byTenantsName reports whether a signature recognises no more in what an event says than names that a tenant chose: that of the
// object, and what its containers are called after it. A pod that is called gateway says nothing of a gateway.
func byTenantsName(sig *signatures.Signature, e *evidence.Event, text string) bool {
	if sig == nil || e.Object.Namespace == "" || evidence.ComponentNamespace(e.Object.Namespace) {
		return false
	}
	plain := strings.ReplaceAll(text, e.Object.Name, "name")
	if stem := madeUp.ReplaceAllString(e.Object.Name, ""); len(stem) > 2 {
		plain = strings.ReplaceAll(plain, stem, "name")
	}
	if plain == text {
		return false
	}
	_, without := sig.Match(plain)
	return !without
}
