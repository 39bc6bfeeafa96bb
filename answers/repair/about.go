package repair

import (
	"errors"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// ProviderID is that of any node on Azure: all have the same node resource group. It is "" if there is none.
func ProviderID(s *evidence.Snapshot) string {
	for _, n := range s.Data().Nodes {
		if _, ok := evidence.ManagedMachine(n.Spec.ProviderID); ok {
			return n.Spec.ProviderID
		}
	}
	return ""
}

// ErrNoCloud is returned where no node says which machine of the cloud it is.
var ErrNoCloud = errors.New("no node says which machine of Azure it is: repair works on AKS alone")

// About says what to ask the cloud about a change. The provider id finds the cluster, also when its last node is gone.
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
