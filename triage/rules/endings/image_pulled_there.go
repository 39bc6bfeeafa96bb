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
	Doc:   "A later event shows that an image of the same registry was pulled on the node. An event in another namespace counts only with the status of its pod.",
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
			there := node != "" && nodeOfEvent(p, e) == node && timeline.EventLater(e, f.Event)
			if pulled && there && (e.Object.Namespace == f.Event.Object.Namespace || started(p, e, wanted)) {
				return triage.End{By: fmt.Sprintf("event %s%s%s, from registry %s", e.Reason, ofSubject(e.Object), timeline.When(e), wanted), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

// started reports whether the status of the pod of an event shows a container that started, with an image of the registry. The users
// of a namespace can write events in it, so an event alone proves nothing about another namespace; only a kubelet writes the status.
func started(p *triage.Pass, e *evidence.Event, registry string) bool {
	pod := p.Snapshot.Pod(e.Object.Namespace, e.Object.Name)
	return pod != nil && slices.ContainsFunc(pod.Containers, func(c evidence.Container) bool {
		return c.State != "waiting" && registryOf(c.Image) == registry
	})
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
	if m := pulledImage.FindStringSubmatch(message); m != nil {
		return registryOf(m[1])
	}
	return ""
}

// registryOf returns the registry of an image.
func registryOf(image string) string {
	host, _, found := strings.Cut(image, "/")
	if !found || !strings.ContainsAny(host, ".:") && host != "localhost" {
		return "docker.io"
	}
	return host
}
