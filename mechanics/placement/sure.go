package placement

import "github.com/nodetriage/nodetriage/evidence"

// rests are the kinds that scheduling depends on. A missing node may have capacity, missing pods may use it, and a
// claim that is not in the evidence may exist.
var rests = []evidence.Kind{
	evidence.Nodes, evidence.Pods, evidence.Claims, evidence.Volumes, evidence.VolumeAttachments, evidence.CSINodes, evidence.CSIDrivers,
	evidence.StorageClasses, evidence.StorageCapacities, evidence.PriorityClasses, evidence.Namespaces,
}

// Unsure returns why the placement of pods is unknown: a required kind was read only partly. It returns "" if all are
// complete.
func Unsure(s *evidence.Snapshot) string {
	part := s.Incomplete(rests...)
	if len(part) == 0 {
		return ""
	}
	return part[0].Title() + ": " + part[0].Why
}
