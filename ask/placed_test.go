package ask

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

const roomElsewhere = `apiVersion: v1
kind: Node
metadata: {name: full}
status: {allocatable: {cpu: "1", memory: 1Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: elsewhere}
status: {allocatable: {cpu: "4", memory: 4Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: shop}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]}
status: {phase: Pending}
`

// If only unread nodes may have capacity, the whole cluster is read, and the answer is computed again.
func TestPlaced(t *testing.T) {
	for name, c := range map[string]struct {
		readOn []string
		made   int
	}{
		"all was read":  {nil, 1},
		"part was read": {[]string{"full"}, 2},
	} {
		s, err := Read(t.Context(), fromText(t, roomElsewhere), Scope{})
		if err != nil {
			t.Fatal(err)
		}
		d := *s.Data()
		d.PodsReadOn = c.readOn
		from := From{Source: Held{s}, Knowledge: knowing(t)}
		made := 0
		fits, err := placed(t.Context(), &look{From: &from, snapshot: evidence.New(d)}, func(s *evidence.Snapshot, open placement.Open) (bool, error) {
			made++
			board, err := open(s)
			if err != nil {
				return false, err
			}
			return board.Fit(s.Data().Pods[0]).Verdict == placement.Fits, nil
		})
		if err != nil || made != c.made || !fits {
			t.Errorf("%s: made %d times, fits: %v, %v", name, made, fits, err)
		}
	}
}
