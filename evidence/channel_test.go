package evidence_test

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
)

const channelsHead = `<!-- Made of the table in evidence/channel.go by go test ./evidence -run TestChannelsPage -update. -->
# Who can write the evidence

nodetriage reads text that many people and programs can write. A channel is a way by which text enters the evidence. Each channel
has a row: who decides what the text says, and how certain a finding from the text can be.

- **as component**: what the component that speaks may say, as certain as its signature allows.
- **hint**: at most *possible*, and only by a signature that lists applications as speakers. A hint never ends a finding, never names
  another object and never fills a command. Reports mark it as *written by the application* (` + "`\"by\": \"application\"`" + ` in JSON).
- **shown**: no signature reads it. **dropped**: it is left out.

A message can hold the words of two writers, for example "Readiness probe failed: OUTPUT". Only the frame counts as the component's.
Pods in namespaces of components (` + "`kube-*`, `openshift-*`, `*-system`" + ` and those of known network, storage and device plugins) count as
components: let only cluster admins create namespaces with such names.

Kubernetes does not prove who wrote an event. A tenant who may create events in a namespace can write one in the name of the kubelet.
Such an event counts for its own pod and for the node that the pod is bound to, and for nothing else.

| channel | holds | who can write it | may conclude | limits |
|---|---|---|---|---|
`

// The page equals the table.
func TestChannelsPage(t *testing.T) {
	casetest.Golden(t, filepath.Join("..", "docs", "channels.md"), func(w io.Writer) error {
		var b strings.Builder
		b.WriteString(channelsHead)
		for _, r := range evidence.Channels() {
			var writers []string
			for _, x := range r.Writers {
				writers = append(writers, string(x))
			}
			name, reach := string(r.Channel), string(r.Reach)
			if name == "" {
				name = "plain-text"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", name, r.Holds, strings.Join(writers, ", "), reach, r.Note)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// A channel that only tenants write never counts as a component, and a channel without a row has the least trust.
func TestChannels(t *testing.T) {
	seen := map[evidence.Channel]bool{}
	for _, r := range evidence.Channels() {
		if seen[r.Channel] {
			t.Errorf("%q has two rows", r.Channel)
		}
		seen[r.Channel] = true
		if len(r.Writers) == 0 || r.Holds == "" {
			t.Errorf("%q: say what it holds and who can write it", r.Channel)
		}
		if slices.Equal(r.Writers, []evidence.Writer{evidence.Tenant}) && r.Reach == evidence.AsComponent {
			t.Errorf("%q: a tenant speaks as a component", r.Channel)
		}
	}
	if evidence.Channel("new").Speaks() {
		t.Error("a channel without a row speaks as a component")
	}
}
