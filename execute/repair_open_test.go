package execute

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
)

// A repair uncordons a node that a drain of this program cordoned. The cordon of another user stays unless requested.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name    string
		drained bool
		change  func(*corev1.Node)
		whoever bool
		opened  bool
		why     string
	}{
		{"closed by a drain", true, func(*corev1.Node) {}, false, true, ""},
		{"closed by somebody", false, func(n *corev1.Node) { n.Spec.Unschedulable = true }, false, false, "cordoned by someone else"},
		{"closed by somebody, and asked for", false, func(n *corev1.Node) { n.Spec.Unschedulable = true }, true, true, ""},
		{"open", false, func(*corev1.Node) {}, false, false, "it is not cordoned"},
		{"cordoned again by somebody", true, func(n *corev1.Node) {
			n.ManagedFields = managed("kubectl-cordon", `{"f:spec":{"f:unschedulable":{}}}`)
		}, false, false, "cordoned by someone else"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			opt := s.options(t)
			if c.drained {
				if err := newDrainer(s.plan, opt).cordon(t.Context(), "w1"); err != nil {
					t.Fatal(err)
				}
			}
			n := s.node("w1").DeepCopy()
			c.change(n)
			s.put("/api/v1/nodes/w1", n)
			opened, why, err := Open(t.Context(), opt.Reader, opt.Writer, "w1", c.whoever)
			if err != nil || opened != c.opened || !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
				t.Errorf("opened %v, %q, %v", opened, why, err)
			}
			n = s.node("w1")
			if n.Spec.Unschedulable == (c.opened || c.why == "it is not cordoned") || n.Annotations["own"] != "x" {
				t.Errorf("unschedulable %v, annotations %v", n.Spec.Unschedulable, n.Annotations)
			}
			if c.opened && evidence.ReadMark(n.Annotations, evidence.MarkCordon) != nil {
				t.Error("the mark of the drain is left")
			}
		})
	}
	s := newScene(t)
	opt := s.options(t)
	if _, _, err := Open(t.Context(), opt.Reader, opt.Writer, "gone", true); err == nil {
		t.Error("a node that is not there was opened")
	}
}

// A dry run logs the steps of a drain in order, and that none was carried out.
func TestDescribe(t *testing.T) {
	s := newScene(t)
	s.plan.Pods = []drain.Pod{{Namespace: "ns", Name: "web-1", Action: drain.Evict, Wave: 2}, {Namespace: "ns", Name: "agent", Action: drain.Skip}}
	var got []string
	Describe(s.plan, func(e Entry) {
		if e.Result != Would {
			t.Errorf("%s %s is %s", e.Do, e.Name, e.Result)
		}
		got = append(got, strings.TrimSpace(e.Do+" "+e.Name+" "+e.Why))
	})
	want := "cordon w1, cordon w2, cordon w3, suspend ns/held, surge ns/single, evict ns/web-1 wave 2, scale back ns/single, restore ns/held"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if s.writes != 0 {
		t.Errorf("%d writes", s.writes)
	}
}
