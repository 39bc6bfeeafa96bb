package paste

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// AddTo adds the content of the text to the evidence of a Snapshot. Existing objects are completed, never contradicted: fields
// from the API stay unchanged. Call it once.
func (t *Text) AddTo(d *evidence.Data, templates *evidence.Templates) {
	t.resolveAges(d.TakenAt)
	t.mixDescribed(templates)
	if d.Coverage == nil {
		d.Coverage = map[evidence.Kind]evidence.Coverage{}
	}
	t.addNodes(d)
	t.addPods(d)
	d.Events = append(d.Events, t.events...)
	d.PDBs = addNew(d.PDBs, t.pdbs, func(p *evidence.PDB) string { return p.Namespace + "/" + p.Name })
	d.Workloads = addNew(d.Workloads, t.workloads, func(w *evidence.Workload) evidence.Subject { return w.Subject() })
	d.Leases = addNew(d.Leases, t.leases, func(l *evidence.Lease) string { return l.Namespace + "/" + l.Name })
	d.Claims = addNew(d.Claims, t.claims, func(c *corev1.PersistentVolumeClaim) string { return c.Namespace + "/" + c.Name })
	d.Volumes = addNew(d.Volumes, t.volumes, named)
	d.VolumeAttachments = addNew(d.VolumeAttachments, t.attached, named)
	d.CSRs = addNew(d.CSRs, t.csrs, named)
	d.Webhooks = addNew(d.Webhooks, t.webhooks, func(w *evidence.Webhook) string { return fmt.Sprint(w.Validating, w.Configuration) })
	d.Usage = addNew(d.Usage, t.usage, func(u *evidence.Usage) string { return u.Node })
	d.PodUsage = addNew(d.PodUsage, t.podUsage, func(u *evidence.PodUsage) string { return u.Namespace + "/" + u.Name })
	t.AddMachines(d)
	for _, kind := range slices.Sorted(maps.Keys(t.rows)) {
		switch k := evidence.Kind(kind); k {
		case evidence.Nodes, evidence.Pods, evidence.Events, evidence.PDBs, evidence.Workloads, evidence.Leases,
			evidence.Claims, evidence.Volumes, evidence.VolumeAttachments, evidence.CSRs, evidence.Webhooks:
			d.Coverage[k] = max(d.Coverage[k], evidence.Partial)
		}
	}
	d.Kubelets = addNew(d.Kubelets, t.kubelets, func(k *evidence.Kubelet) string { return k.Node })
	if t.rows["usage"] > 0 {
		d.Coverage[evidence.NodeMetrics] = max(d.Coverage[evidence.NodeMetrics], evidence.Partial)
	}
	if t.rows["podusage"] > 0 {
		d.Coverage[evidence.PodMetrics] = max(d.Coverage[evidence.PodMetrics], evidence.Partial)
	}
	t.addReports(d)
	for _, g := range t.gaps {
		if !slices.Contains(d.Gaps, g) {
			d.Gaps = append(d.Gaps, g)
		}
	}
}

// mixDescribed inserts described pods between those of tables, in text order.
func (t *Text) mixDescribed(templates *evidence.Templates) {
	if len(t.described) == 0 {
		return
	}
	all := make([]*evidence.Pod, 0, len(t.pods)+len(t.described))
	from := 0
	for _, p := range t.described {
		all = append(all, t.pods[from:p.before]...)
		all = append(all, p.evidence(templates))
		from = p.before
	}
	t.pods, t.described = append(all, t.pods[from:]...), nil
}

func named[T interface{ GetName() string }](o T) string { return o.GetName() }

// addNew appends the objects that are missing. The last object in a text counts.
func addNew[T any, K comparable](have, more []T, key func(T) K) []T {
	if len(more) == 0 {
		return have
	}
	given := map[K]bool{}
	for _, o := range have {
		given[key(o)] = true
	}
	at := map[K]int{}
	for _, o := range more {
		k := key(o)
		if given[k] {
			continue
		}
		if i, ok := at[k]; ok {
			have[i] = o
			continue
		}
		at[k] = len(have)
		have = append(have, o)
	}
	return have
}

// resolveAges converts ages to times, relative to the time of the evidence, or else the newest time at which a kubelet reported in
// this text. If neither is known, the times stay unknown.
func (t *Text) resolveAges(takenAt time.Time) {
	now := takenAt
	if now.IsZero() {
		now = t.now
	}
	if now.IsZero() {
		return
	}
	for _, a := range t.ages {
		*a.at = now.Add(-a.ago).UTC().Truncate(time.Second)
	}
	t.ages = nil
}

// finish adds gaps for what the bounds left out.
func (t *Text) finish() {
	for _, kind := range slices.Sorted(maps.Keys(t.dropped)) {
		t.gaps = append(t.gaps, evidence.Gap{
			What: t.name, Why: fmt.Sprintf("%d %s are over the limit for one text", t.dropped[kind], kind),
			How: "split the text, or give the part about the nodes that are sick",
		})
	}
	if t.until > 0 {
		t.gaps = append(t.gaps, evidence.Gap{
			What: t.name, Why: fmt.Sprintf("only messages are read from line %d on: it has more than %d lines of tables and command output", t.until, maxTried),
			How: "split the text, or give the part about the nodes that are sick",
		})
	}
	if t.cut > 0 {
		t.gaps = append(t.gaps, evidence.Gap{
			What: t.name, Why: fmt.Sprintf("%d lines are longer than %d KB and were cut", t.cut, maxLine>>10),
		})
	}
}

// AddMachines adds the machines of tables, which a bundle does not store as objects.
func (t *Text) AddMachines(d *evidence.Data) {
	for _, m := range t.machines {
		d.CloudResources = append(d.CloudResources, m)
	}
}
