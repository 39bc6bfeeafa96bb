package paste

import (
	"github.com/nodetriage/nodetriage/evidence"
)

// addPods adds pods, and completes partial pods of other texts. A pod in a table without namespaces is the pod with that name, if
// there is exactly one.
func (t *Text) addPods(d *evidence.Data) {
	at := map[string]*evidence.Pod{}
	byName := map[string][]*evidence.Pod{}
	for _, p := range d.Pods {
		at[p.Key()] = p
		byName[p.Name] = append(byName[p.Name], p)
	}
	for _, p := range t.pods {
		known := at[p.Key()]
		if known == nil && p.Name != "" {
			known = sameName(byName[p.Name], p)
		}
		switch {
		case p.Name == "" || known == nil:
			d.Pods = append(d.Pods, p)
			at[p.Key()] = p
			byName[p.Name] = append(byName[p.Name], p)
		case known.Partial:
			completePod(known, p)
			at[known.Key()] = known
		}
	}
}

// sameName returns the pod with that name if one of the two has no namespace.
func sameName(list []*evidence.Pod, p *evidence.Pod) *evidence.Pod {
	if len(list) == 1 && (p.Namespace == "" || list[0].Namespace == "") {
		return list[0]
	}
	return nil
}

// completePod merges the later text into the known pod.
func completePod(p, later *evidence.Pod) {
	setIf(&p.Namespace, later.Namespace)
	setIf(&p.Node, later.Node)
	setIf(&p.IP, later.IP)
	setIf(&p.QOS, later.QOS)
	p.Unlimited = p.Unlimited || later.Unlimited
	if later.Labels != nil {
		p.Labels = later.Labels
	}
	if later.Owner != (evidence.Owner{}) {
		p.Owner = later.Owner
	}
	if later.Spec != nil {
		p.Spec = later.Spec
	}
	p.Mirror = p.Mirror || later.Mirror
	if !later.Created.IsZero() && p.Created.IsZero() {
		p.Created = later.Created
	}
	if later.Status == "" { // it shows the node of the pod, not its status
		return
	}
	p.Status, p.Phase = later.Status, later.Phase
	setIf(&p.Reason, later.Reason)
	setIf(&p.Message, later.Message)
	if later.Total > 0 {
		p.ReadyCount, p.Total, p.Restarts = later.ReadyCount, later.Total, later.Restarts
	}
	if later.Ready != evidence.Unknown {
		p.Ready = later.Ready
	}
	if !later.Deleted.IsZero() {
		p.Deleted, p.Grace = later.Deleted, later.Grace
	}
	if later.Conditions != nil {
		p.Conditions = later.Conditions
	}
	if later.Containers != nil {
		p.Containers = later.Containers
	}
}
