package placement

import "github.com/nodetriage/nodetriage/evidence"

// rests are the kinds by which a scheduler decides: a node that was not read may have room, pods that were not read may fill
// one that seems to, and a claim that was not read is not missing.
var rests = []evidence.Kind{
	evidence.Nodes, evidence.Pods, evidence.Claims, evidence.Volumes, evidence.VolumeAttachments, evidence.CSINodes, evidence.CSIDrivers,
	evidence.StorageClasses, evidence.StorageCapacities, evidence.PriorityClasses, evidence.Namespaces,
}

// Unsure says why nobody can tell where a pod fits: something by which it is decided was read in part; "" if nothing was.
func Unsure(s *evidence.Snapshot) string {
	part := s.Incomplete(rests...)
	if len(part) == 0 {
		return ""
	}
	return part[0].Title() + ": " + part[0].Why
}
