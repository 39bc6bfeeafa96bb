package azure_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// proof is one requirement for the program, from a guide to failed clusters.
type proof struct {
	scenario string // found is the truth, which TestGolden finds; files, if set, limits the saved az output to these
	files    []string
	text     string // or in this pasted text
	found    string
	command  []string // or this command says says
	says     string
}

// The checks of guides to failed AKS clusters, nodes and pools, and the matching results of the program.
func TestGuides(t *testing.T) {
	code := func(code, message, cause string) proof {
		return proof{text: "(" + code + ") " + message + "\nCode: " + code + "\nMessage: " + message + "\n", found: cause}
	}
	for name, proofs := range map[string][]proof{
		"a node image upgrade cordons, drains and replaces": {
			{scenario: "upgrade-running", found: "upgrade-in-progress"}, {scenario: "image-mixed", found: "upgrade-stuck"}},
		"what blocks a drain: budgets, hooks and their time, pods without an owner, finalizers, local storage": {
			{scenario: "quarantined", found: "drain-blocked-pdb"}, {scenario: "drain-timeout", found: "drain-blocked-hook"},
			{command: []string{"explain", "drain-blocked-local-storage"}, says: "emptyDir"}},
		"the activity log has Upgrade Node Image around midnight": {{scenario: "upgrade-midnight", found: "drain-blocked-pdb"}},
		"planned maintenance": {{scenario: "healthy", command: []string{"check"}, says: "cloud-window"}},
		"az aks show, vmss list, list-instances, get-instance-view": {
			{scenario: "agent-dead", files: []string{"az-aks-show", "az-vmss-list", "az-vmss-list-instances"}, found: "cloud-vm-agent-dead"},
			{scenario: "zonal-allocation", files: []string{"az-vmss-get-instance-view", "az-aks-nodepool-list"}, found: "cloud-capacity-unavailable"}},
		"a dead agent: drain and reimage": {
			{scenario: "agent-dead", found: "cloud-vm-agent-dead"}, {command: []string{"explain", "cloud-vm-agent-dead", "-o", "wide"}, says: "az vmss reimage"}},
		"the common causes of a failed state": {
			{scenario: "bootstrap-outbound", found: "provision-outbound-blocked"}, {scenario: "workspace-missing", found: "cloud-resource-missing"},
			{scenario: "zonal-allocation", found: "cloud-capacity-unavailable"}, {scenario: "quota-compute", found: "cloud-quota-exceeded"},
			{scenario: "policy", found: "cloud-policy-denied"}, {scenario: "lock", found: "cloud-resource-locked"}, {scenario: "quarantined", found: "drain-blocked-pdb"}},
		"the table of eight codes": {
			code("OutboundConnFailVMExtensionError", "Unable to establish outbound connection from agents.", "provision-outbound-blocked"),
			code("PodDrainFailure", "Drain of node aks-np1-1-vmss000000 did not complete.", "drain-blocked-pdb"),
			code("SubscriptionNotRegistered", "The subscription is not registered to use namespace 'Microsoft.ContainerService'.", "cloud-provider-not-registered"),
			code("RequestDisallowedByPolicy", "Resource 'aks' was disallowed by policy.", "cloud-policy-denied"),
			code("QuotaExceeded", "Provisioning of resource(s) for Agent Pool np1 failed: quota exceeded.", "cloud-quota-exceeded"),
			code("PublicIPCountLimitReached", "Cannot create more than 10 public IP addresses for this subscription in this region.", "cloud-public-ip-limit"),
			code("OverconstrainedAllocationRequest", "Allocation failed.", "cloud-capacity-unavailable"),
			code("ReadOnlyDisabledSubscription", "The subscription is disabled and therefore marked as read only.", "cloud-subscription-disabled")},
		"a small subnet, a blocked network, budgets": {
			{scenario: "subnet-full", found: "cloud-subnet-full"}, {scenario: "bootstrap-dns", found: "provision-dns-failed"}, {scenario: "quarantined", found: "drain-blocked-pdb"}},
		"az resource update writes it as it is": {{scenario: "healthy", command: []string{"repair", "reconcile", "cluster"}, says: "the cloud applies the goal state"}},
		"the provisioning states of cluster and pools": {
			{scenario: "subnet-full", files: []string{"az-aks-nodepool-list"}, found: "cloud-subnet-full"}},
		"the activity log alone, with the nested message of its event": {
			{scenario: "policy", files: []string{"az-monitor-activity-log-list"}, found: "cloud-policy-denied"}},
		"vmss update-instances after a disk that did not come off": {{scenario: "disk-detach", found: "cloud-disk-detach-failed"},
			{scenario: "disk-detach", command: []string{"repair", "refresh", node2}, says: "the state of the VM is refreshed"}},
		"a workspace of log analytics that is gone": {{scenario: "workspace-missing", found: "cloud-resource-missing"}},
		"quotas, locks, policies, roles step by step": {
			{scenario: "quota-preflight", found: "cloud-quota-exceeded"}, {scenario: "role-missing", found: "cloud-permission-denied"}, {scenario: "lock", found: "cloud-resource-locked"}},
		"add, scale and delete pools": {
			{scenario: "healthy", command: []string{"repair", "delete-pool", "np1"}, says: "3 nodes and their disks are deleted"}, {scenario: "healthy", command: []string{"repair", "scale-pool", "np1", "--count", "5"}, says: "the pool is scaled to 5 nodes"}},
		"a machine that is off, and pods that do not move": {{scenario: "spot-evicted", found: "cloud-spot-eviction"},
			{scenario: "quarantined", command: []string{"predict", node2, "--event", "power-off"}, says: "shop/db-0"}},
		"whether the fix worked": {{scenario: "agent-dead", command: []string{"verify", node2}, says: "the kubelet does not report to the control plane"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range proofs {
				p.check(t)
			}
		})
	}
}

func (p proof) check(t *testing.T) {
	t.Helper()
	dir, now := t.TempDir(), time.Now()
	if p.text != "" {
		if err := os.WriteFile(filepath.Join(dir, "pasted.txt"), []byte(p.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p.scenario != "" {
		s, err := azure.Load(p.scenario, now)
		if err != nil {
			t.Fatal(err)
		}
		if p.found != "" && p.found != s.Truth {
			t.Errorf("the truth of %s is %s, want %s", p.scenario, s.Truth, p.found)
		}
		if p.found != "" && len(p.files) == 0 {
			return
		}
		p.save(t, s, dir, now)
	}
	if p.found != "" {
		if r := diagnose(t, dir, "--at", now.UTC().Format(time.RFC3339)); len(r.Findings) == 0 || r.Findings[0].Cause != p.found {
			t.Errorf("%s%s: found %q, want %s first", p.scenario, p.text, causes(r), p.found)
		}
		return
	}
	args := p.command
	if p.scenario != "" {
		args = append(slices.Clone(args), "-f", dir)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "KUBECONFIG=", "COLUMNS=100")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // its output is checked
	if !strings.Contains(out.String(), p.says) {
		t.Errorf("%q does not say %q:\n%s", args, p.says, out.String())
	}
}

// save writes the az and kubectl output of the scenario; files, if set, limits the az output to these.
func (p proof) save(t *testing.T, s *azure.Scenario, dir string, now time.Time) {
	t.Helper()
	var err error
	saved := s.Saved()
	if saved["kubectl-get.json"], err = json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": s.Cluster(now)}); err != nil {
		t.Fatal(err)
	}
	for file, data := range saved {
		if base := strings.TrimSuffix(file, ".json"); len(p.files) > 0 && base != "kubectl-get" && !slices.Contains(p.files, base) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range p.files {
		if saved[want+".json"] == nil {
			t.Errorf("%s has no %s", p.scenario, want)
		}
	}
}
