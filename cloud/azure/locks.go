package azure

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// locks reads all locks of a subscription, including those on single resources, and returns those with a relevant
// scope. One request replaces one per group.
func (c *client) locks(ctx context.Context, subscription string, pages int, matters func(scope string) bool, found func(scope, level string, lock json.RawMessage)) error {
	return c.list(ctx, c.address(subscription+"/providers/Microsoft.Authorization/locks", lockVersion), pages, func(page []byte) {
		var list struct {
			Value []json.RawMessage `json:"value"`
		}
		_ = json.Unmarshal(page, &list) // unexpected JSON counts as no lock
		for _, raw := range list.Value {
			var l struct {
				ID         string `json:"id"`
				Properties struct {
					Level string `json:"level"`
				} `json:"properties"`
			}
			_ = json.Unmarshal(raw, &l)
			at := strings.LastIndex(strings.ToLower(l.ID), "/providers/microsoft.authorization/locks/")
			if at >= 0 && matters(l.ID[:at]) {
				found(l.ID[:at], l.Properties.Level, raw)
			}
		}
	})
}

// touches reports whether a lock on the scope blocks changes to the cluster, its machines, or their subnets.
func touches(scope, cluster, nodes string, subnets []string) bool {
	ofNodes := within(scope, nodes) || within(nodes, scope)
	ofCluster := cluster != "" && (within(cluster, scope) || within(scope, cluster))
	return ofNodes || ofCluster || slices.ContainsFunc(subnets, func(id string) bool { return within(id, scope) })
}

// within reports whether one scope is inside another, or equal.
func within(scope, in string) bool {
	scope, in = strings.ToLower(scope), strings.ToLower(in)
	return scope == in || strings.HasPrefix(scope, in+"/")
}

// locks passes on the relevant locks of the subscription, or those of the two groups if the subscription is forbidden.
func (s *survey) locks(ctx context.Context, subscription, nodes string, c *managed, subnets []string) {
	kept := []json.RawMessage{}
	err := s.client.locks(ctx, subscription, fewPages,
		func(scope string) bool { return touches(scope, c.id, nodes, subnets) },
		func(_, _ string, lock json.RawMessage) { kept = append(kept, lock) })
	if raw, bad := json.Marshal(map[string]any{"value": kept}); bad == nil && (err == nil || len(kept) > 0) {
		s.hand("locks", raw)
	}
	if err == nil {
		return
	}
	s.unread("locks of the subscription", err)
	for _, group := range []string{nodes, groupOf(c.id)} {
		if group != "" {
			s.all(ctx, "locks of "+group, s.address(group+"/providers/Microsoft.Authorization/locks", lockVersion))
		}
	}
}
