package collect

import (
	"bytes"
	"context"
	"slices"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// Cloud reads what the cloud knows of the machines behind the nodes that b holds, and with upgrade what the next upgrade
// needs. Answers are read like saved ones.
func Cloud(ctx context.Context, r cloud.Reader, b *Builder, upgrade bool) {
	scope := cloud.Scope{ProviderIDs: b.ProviderIDs(), Upgrade: upgrade}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		scope.Whole = d.Coverage[evidence.Nodes] == evidence.Complete
		for _, n := range d.Nodes {
			if n.NotReady() && n.Spec.ProviderID != "" {
				scope.Sick = append(scope.Sick, n.Spec.ProviderID)
			}
			if group := n.Labels["kubernetes.azure.com/cluster"]; group != "" && !slices.Contains(scope.Groups, group) {
				scope.Groups = append(scope.Groups, group)
			}
		}
		scope.CutOff = slices.ContainsFunc(d.Events, func(e *evidence.Event) bool { return e.Reason == "EgressBlocked" }) // of AKS' node problem detector
	})
	r.Read(ctx, scope, func(d cloud.Document) { b.AddStream(Bound(d.Name, maxName), bytes.NewReader(d.JSON)) },
		func(g evidence.Gap) { b.Gap(Bound(g.What, maxEvidence), g.Why, g.How) })
}

// ProviderIDs are those of the nodes that were read so far.
func (b *Builder) ProviderIDs() []string {
	var ids []string
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, n := range d.Nodes {
			if n.Spec.ProviderID != "" {
				ids = append(ids, n.Spec.ProviderID)
			}
		}
	})
	return ids
}
