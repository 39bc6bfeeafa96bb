package survey

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/mechanics"
)

// volumes reads the PersistentVolumeClaims of the pods, their PersistentVolumes, and the VolumeAttachments: those of these
// volumes, and those still in the status of a node.
func (n *nodeSurvey) volumes(ctx context.Context, pods []*evidence.Pod, attached map[string][]corev1.AttachedVolume) {
	var mu sync.Mutex
	attachments := map[string]bool{}
	for node, list := range attached {
		for _, a := range list {
			if driver, handle, ok := csiVolume(string(a.Name)); ok {
				attachments[attachmentName(driver, handle, node)] = true
			}
		}
	}
	each(n, evidence.Claims, claimsOf(pods), maxClaims, "claims of its pods", func(c claim) {
		pvc := readOne(ctx, n.survey, evidence.Claims, kube.Claims, c.namespace, c.name)
		if pvc == nil {
			return
		}
		volume := pvc.Spec.VolumeName
		add(n.survey, evidence.Claims, pvc)
		if volume == "" {
			return
		}
		pv := readOne(ctx, n.survey, evidence.Volumes, kube.Volumes, "", volume)
		if pv == nil {
			return
		}
		if csi := pv.Spec.CSI; csi != nil {
			mu.Lock()
			for node := range c.nodes {
				attachments[attachmentName(csi.Driver, csi.VolumeHandle, node)] = true
			}
			mu.Unlock()
		}
		add(n.survey, evidence.Volumes, pv)
	})
	each(n, evidence.VolumeAttachments, slices.Sorted(maps.Keys(attachments)), maxClaims, "volume attachments of it", func(name string) {
		if a := readOne(ctx, n.survey, evidence.VolumeAttachments, kube.VolumeAttachments, "", name); a != nil {
			add(n.survey, evidence.VolumeAttachments, a)
		}
	})
	// Nothing to read, so nothing is missing.
	for _, k := range []evidence.Kind{evidence.Claims, evidence.Volumes, evidence.VolumeAttachments} {
		n.note(outcome{kind: k, all: true})
	}
}

// claim is a PersistentVolumeClaim and the nodes of the pods that mount it.
type claim struct {
	namespace, name string
	nodes           map[string]bool
}

// claimsOf returns the claims that the pods mount, including those of ephemeral volumes.
func claimsOf(pods []*evidence.Pod) []claim {
	known := map[[2]string]map[string]bool{}
	var out []claim
	for _, p := range pods {
		if p.Spec == nil {
			continue
		}
		for _, v := range p.Spec.Volumes {
			name := mechanics.ClaimOf(p, &v)
			if name == "" {
				continue
			}
			key := [2]string{p.Namespace, name}
			if known[key] == nil {
				known[key] = map[string]bool{}
				out = append(out, claim{p.Namespace, name, known[key]})
			}
			known[key][p.Node] = true
		}
	}
	return out
}

// csiVolume splits a name in node.status.volumesAttached: kubernetes.io/csi/<driver>^<handle> (kubernetes pkg/volume/csi,
// v1.36.3).
func csiVolume(name string) (driver, handle string, ok bool) {
	rest, ok := strings.CutPrefix(name, "kubernetes.io/csi/")
	if !ok {
		return "", "", false
	}
	driver, handle, ok = strings.Cut(rest, "^")
	return driver, handle, ok
}

// attachmentName returns the VolumeAttachment name that the attach-detach controller uses for a CSI volume on a node
// (getAttachmentName of kubernetes pkg/volume/csi/csi_attacher.go, v1.36.3).
func attachmentName(driver, handle, node string) string {
	return fmt.Sprintf("csi-%x", sha256.Sum256([]byte(handle+driver+node)))
}
