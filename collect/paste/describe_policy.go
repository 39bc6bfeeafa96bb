package paste

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// buildPDB builds a PodDisruptionBudget.
func (d *description) buildPDB() evidence.Subject {
	pdb := &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{}, Partial: true, Ref: d.ref()}
	pdb.Name, pdb.Namespace = d.name("PodDisruptionBudget"), d.namespace()
	pdb.Spec.MinAvailable, pdb.Spec.MaxUnavailable = budget(d.value("Min available")), budget(d.value("Max unavailable"))
	if text := d.value("Selector"); text != "" {
		if s, err := metav1.ParseToLabelSelector(text); err == nil {
			pdb.Spec.Selector = s
		}
	}
	if s := d.find("Status"); s != nil {
		fields := map[string]*int32{
			"Allowed disruptions": &pdb.Status.DisruptionsAllowed, "Current": &pdb.Status.CurrentHealthy,
			"Desired": &pdb.Status.DesiredHealthy, "Total": &pdb.Status.ExpectedPods,
		}
		for _, l := range s.lines {
			key, value, _ := splitKey(l.text)
			if n, err := strconv.ParseInt(value, 10, 32); err == nil && fields[key] != nil {
				*fields[key] = int32(n)
			}
		}
	}
	if pdb.Name != "" && d.p.text.room("poddisruptionbudgets", d.sections[0].at) {
		d.p.text.pdbs = append(d.p.text.pdbs, pdb)
	}
	return evidence.Subject{Kind: "PodDisruptionBudget", Namespace: pdb.Namespace, Name: pdb.Name}
}

// buildClaim builds a PersistentVolumeClaim.
func (d *description) buildClaim() evidence.Subject {
	c := &corev1.PersistentVolumeClaim{}
	c.Name, c.Namespace = d.name("PersistentVolumeClaim"), d.namespace()
	phase, _ := nextWord(d.value("Status"))
	c.Status.Phase = corev1.PersistentVolumeClaimPhase(phase)
	c.Spec.VolumeName = d.value("Volume")
	c.Labels, c.Annotations = pairs(d.find("Labels")), pairs(d.find("Annotations"))
	c.Status.Capacity = storage(d.value("Capacity"))
	c.Status.AccessModes = parseAccessModes(d.value("Access Modes"))
	if class := d.value("StorageClass"); class != "" {
		c.Spec.StorageClassName = &class
	}
	if c.Name != "" && d.p.text.room("persistentvolumeclaims", d.sections[0].at) {
		d.p.text.claims = append(d.p.text.claims, c)
	}
	return evidence.Subject{Kind: "PersistentVolumeClaim", Namespace: c.Namespace, Name: c.Name}
}
