package paste

import (
	"strconv"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
)

// pdbRow reads "kubectl get pdb". Up to 1.8, the columns were MIN-AVAILABLE and ALLOWED-DISRUPTIONS.
func pdbRow(t *table, c cells, l line) bool {
	if !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	allowed, err := strconv.ParseInt(c["ALLOWEDDISRUPTIONS"], 10, 32)
	if err != nil && t.cols.has("ALLOWEDDISRUPTIONS") {
		return false
	}
	if !t.p.text.room("poddisruptionbudgets", l) {
		return true
	}
	pdb := &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{}, Partial: true, Ref: t.p.ref(l)}
	pdb.Name, pdb.Namespace = trimKind(c["NAME"]), c["NAMESPACE"]
	if pdb.Namespace == "" {
		pdb.Namespace = t.ask.namespace
	}
	pdb.Spec.MinAvailable = budget(c["MINAVAILABLE"])
	pdb.Spec.MaxUnavailable = budget(c["MAXUNAVAILABLE"])
	pdb.Status.DisruptionsAllowed = int32(allowed)
	t.p.text.setAge(&pdb.CreationTimestamp.Time, c["AGE"])
	t.p.text.pdbs = append(t.p.text.pdbs, pdb)
	return true
}

// budget parses a number or a percentage; N/A is nil.
func budget(s string) *intstr.IntOrString {
	if s == "" || s[0] < '0' || s[0] > '9' || len(s) > 10 {
		return nil
	}
	v := intstr.Parse(s)
	return &v
}
