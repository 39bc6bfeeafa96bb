package survey

import (
	"bytes"
	"context"
	"slices"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// Cloud reads the cloud's state of the machines of the nodes in b, and with upgrade, the requirements of the next upgrade.
// Responses are read like saved ones.
func Cloud(ctx context.Context, r cloud.Reader, b *collect.Builder, upgrade bool) {
	scope := cloud.Scope{ProviderIDs: b.ProviderIDs(), Upgrade: upgrade}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		scope.Whole = d.Coverage[evidence.Nodes] == evidence.Complete
		for _, n := range d.Nodes {
			if n.NotReady() && n.Spec.ProviderID != "" {
				scope.Sick = append(scope.Sick, n.Spec.ProviderID)
			}
			scope.Labels = append(scope.Labels, n.Labels)
		}
		for _, e := range d.Events {
			scope.Reasons = append(scope.Reasons, e.Reason)
		}
	})
	r.Read(ctx, scope, func(d cloud.Document) {
		name := wording.Cut(d.Name, maxText)
		b.AddStream(name, bytes.NewReader(d.JSON))
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
			if !slices.Contains(d.CloudAnswers, name) {
				d.CloudAnswers = append(d.CloudAnswers, name)
			}
		})
	},
		func(g evidence.Gap) { b.Gap(wording.Cut(g.What, maxText), g.Why, g.How) })
}
