package repair

import (
	"errors"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// ProviderID returns the provider id of any node on Azure, because all have the same node resource group. It is "" if there is
// none.
func ProviderID(s *evidence.Snapshot) string {
	for _, n := range s.Data().Nodes {
		if _, ok := evidence.ManagedMachine(n.Spec.ProviderID); ok {
			return n.Spec.ProviderID
		}
	}
	return ""
}

// ErrNoCloud is returned if no node has a provider id.
var ErrNoCloud = errors.New("no node belongs to an Azure VM: repair supports only AKS")

// About returns what to query the cloud for, before a change. The provider id identifies the cluster, even after its last node
// is deleted.
func About(s *evidence.Snapshot, subject evidence.Subject, about cloud.About) (cloud.About, error) {
	switch subject.Kind {
	case "Node":
		n := s.Node(subject.Name)
		about.Node, about.ProviderID = n.Name, n.Spec.ProviderID
		_, about.Pool = n.PoolLabel()
	case "Pool":
		about.Pool = subject.Name
	}
	if about.ProviderID == "" {
		return about, ErrNoCloud
	}
	return about, nil
}
