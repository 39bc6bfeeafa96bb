package collect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
)

// order makes the evidence independent of the order in which it was read, be it from a cluster or from files. Nodes and pods
// are ordered by evidence.New.
func order(d *evidence.Data) {
	slices.SortStableFunc(d.Gaps, func(a, b evidence.Gap) int {
		return cmp.Or(strings.Compare(a.What, b.What), strings.Compare(a.Why, b.Why), strings.Compare(a.How, b.How))
	})
	byText(d.Leases, func(l *evidence.Lease) []string { return []string{l.Namespace, l.Name} })
	byText(d.PDBs, func(p *evidence.PDB) []string { return []string{p.Namespace, p.Name} })
	byText(d.Workloads, func(w *evidence.Workload) []string { return []string{w.Kind, w.Namespace, w.Name} })
	byText(d.Events, func(e *evidence.Event) []string {
		return []string{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason, e.Message}
	})
	byText(d.NodeReports, func(r *nodereport.Report) []string { return []string{r.Node, r.Source} })
	byText(d.Kubelets, func(k *evidence.Kubelet) []string { return []string{k.Node} })
	slices.SortFunc(d.Claims, byName)
	slices.SortFunc(d.Volumes, byName)
	slices.SortFunc(d.VolumeAttachments, byName)
	slices.SortFunc(d.StorageClasses, byName)
	slices.SortFunc(d.CSIDrivers, byName)
	slices.SortFunc(d.StorageCapacities, byName)
	slices.SortFunc(d.Namespaces, byName)
	slices.SortFunc(d.CSRs, byName)
}

func byText[T any](list []T, text func(T) []string) {
	slices.SortStableFunc(list, func(a, b T) int { return slices.Compare(text(a), text(b)) })
}

type named interface {
	GetNamespace() string
	GetName() string
}

func byName[T named](a, b T) int {
	return cmp.Or(strings.Compare(a.GetNamespace(), b.GetNamespace()), strings.Compare(a.GetName(), b.GetName()))
}
