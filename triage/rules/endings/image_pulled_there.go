package endings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// ImagePulledThere resolves events that a registry cannot be reached, if the node pulled an image from it later, for any pod.
var ImagePulledThere = &triage.Ending{
	ID:    "image-pulled-there",
	Doc:   "A later event shows that an image of the same registry was pulled on the node.",
	Ends:  []string{"image-pull", "names"},
	Texts: events,
	Reads: []evidence.Kind{evidence.Events, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		wanted := registryIn(f.Ref.Text)
		if f.Event == nil || wanted == "" || !slices.Contains(ofRegistry, f.Says) {
			return triage.End{}, false
		}
		node := nodeOfEvent(p, f.Event)
		for _, e := range p.Snapshot.Events() {
			pulled := e.Reason == "Pulled" && strings.HasPrefix(e.Message, "Successfully pulled image") && registryIn(e.Message) == wanted
			if pulled && node != "" && nodeOfEvent(p, e) == node && timeline.EventLater(e, f.Event) {
				return triage.End{By: fmt.Sprintf("event %s%s%s, from registry %s", e.Reason, ofSubject(e.Object), timeline.When(e), wanted), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

// ofRegistry are the problems of all images of a registry.
var ofRegistry = []string{"registry-unreachable", "node-dns-failure", "dns-failure"}

// nodeOfEvent returns the node of an event: that of its kubelet, or else that of its object.
func nodeOfEvent(p *triage.Pass, e *evidence.Event) string {
	return cmp.Or(e.Host, p.Snapshot.NodeOf(e.Object))
}

// pulledImage matches the image in an event about a pull (kubernetes pkg/kubelet/images/image_manager.go v1.36.3).
var pulledImage = lazyregexp.New(`(?:Failed to pull|Successfully pulled) image "([^"]{1,400})"`)

// registryIn returns the registry of the image in an event about a pull; empty: there is none.
func registryIn(message string) string {
	m := pulledImage.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	host, _, found := strings.Cut(m[1], "/")
	if !found || !strings.ContainsAny(host, ".:") && host != "localhost" {
		return "docker.io"
	}
	return host
}
