package collect

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// The last row of an object in a watched table counts. Rows of events, which start with an age, are not rows of one object.
func TestWatchedTables(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		text string
		want int // texts with a match
	}{
		"ends well": {"NAME     STATUS     ROLES    AGE    VERSION\nnode-a   NotReady   <none>   121m   v1.30.6\nnode-a   Ready      <none>   135m   v1.30.6\n", 0},
		"ends ill":  {"NAME     STATUS     ROLES    AGE    VERSION\nnode-a   Ready      <none>   121m   v1.30.6\nnode-a   NotReady   <none>   135m   v1.30.6\n", 1},
		"asked twice": {"$ kubectl get nodes\nNAME     STATUS     ROLES    AGE    VERSION\nnode-a   NotReady   <none>   121m   v1.30.6\n" +
			"$ kubectl get nodes\nNAME     STATUS     ROLES    AGE    VERSION\nnode-b   Ready      <none>   135m   v1.30.6\n", 1},
		"named so": {"NAME                    STATUS   ROLES    AGE   VERSION\ngpu-NotReady-xid-79-failed   Ready    <none>   12d   v1.30.2\n", 0},
		"events": {"NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT   MESSAGE\ndefault     2m          Warning   NodeNotReady   node/a   Node a status is now: NodeNotReady\n" +
			"default     2m          Normal    Pulled   pod/b   Container image already present on machine\n", 1},
	} {
		b := NewBuilder(evidence.Source{}, set)
		if err := b.AddFS(fstest.MapFS{"terminal.txt": {Data: []byte(tc.text)}}); err != nil {
			t.Fatal(err)
		}
		texts, s := map[string]bool{}, b.Snapshot()
		for _, m := range s.Matches() {
			if strings.Contains(m.Ref.Text, "NotReady") {
				texts[m.Ref.Text] = true
			}
		}
		for _, l := range s.Lines() {
			if l.Gravity > logline.Plain && name == "named so" {
				t.Errorf("stands out: %s", l.Ref.Text)
			}
		}
		if got := min(len(texts), 1); got != tc.want {
			t.Errorf("%s: %d, want %d: %v", name, got, tc.want, texts)
		}
	}
}
