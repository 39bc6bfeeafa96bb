package collect_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// JSON output of az, written by hand after the shapes of Azure's APIs. The innermost error is found, with its path in the document
// and its resource.
func TestAzure(t *testing.T) {
	set := builtin(t)
	for _, c := range []struct {
		file string
		want []string // cause or symptom, subject, path
	}{
		{"activity.json", []string{
			"provision-outbound-blocked | Pool np1 | properties.statusMessage.error.details[0].message",
			"cloud-resource-locked | Pool np2 | properties.statusMessage.error.code",
		}},
		{"nodepool.json", []string{"cloud-subnet-full | Pool np1 | properties.status.provisioningError.details[0].code"}},
		{"instance.json", []string{"provision-outbound-blocked | Node aks-np1-12345678-vmss000003 | extensions[0].statuses[0].message"}},
		{"agent-dead.json", []string{"cloud-vm-agent-dead | Node aks-np1-12345678-vmss000001 | vmAgent.statuses[0].code"}},
		{"allocation.json", []string{"cloud-capacity-unavailable | unknown | statuses[0].code"}},
		{"error.json", []string{"cloud-quota-exceeded | unknown | error.message"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var got []string
			for _, m := range azure(t, c.file).Matches {
				got = append(got, fmt.Sprintf("%s | %s | %s", set.Lookup(m.Signature).Says, m.Subject, m.Ref.Locator))
			}
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("no %q in:\n%s", w, strings.Join(got, "\n"))
				}
			}
		})
	}
}

// Clusters, pools, instances, quotas and locks become resources with their state.
func TestAzureResources(t *testing.T) {
	for _, c := range []struct {
		file string
		want []string // type, name, provisioning, power
	}{
		{"cluster.json", []string{"cluster aks Failed Running", "pool sys Succeeded Running", "pool np1 Failed Running"}},
		{"nodepool.json", []string{"pool np1 Failed Running"}},
		{"instance.json", []string{"instance aks-np1-12345678-vmss000003 failed/VMExtensionProvisioningError running"}},
		{"spot.json", []string{"instance aks-spot-12345678-vmss_46 Succeeded deallocated"}},
		{"allocation.json", []string{"scale-set  failed/AllocationFailed "}},
		{"rest.json", []string{"quota cores  ", "lock no-delete  "}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var got []string
			for _, r := range azure(t, c.file).CloudResources {
				got = append(got, strings.Join([]string{r.Item().Type, r.Item().Name, r.Item().State, r.Item().Power}, " "))
			}
			for _, w := range c.want {
				if !slices.ContainsFunc(got, func(g string) bool { return strings.TrimSpace(g) == strings.TrimSpace(w) }) {
					t.Errorf("no %q in %q", w, got)
				}
			}
		})
	}
}

// An activity keeps its actor, operation and time, and all its errors from the outermost to the innermost.
func TestAzureActivity(t *testing.T) {
	list := azure(t, "activity.json").CloudActivities
	if len(list) != 2 {
		t.Fatalf("%d activities", len(list))
	}
	a := list[0]
	if a.Status != "Failed" || a.Time.Format("15:04:05.000") != "00:31:44.118" || !strings.HasSuffix(a.Operation, "virtualMachineScaleSets/write") {
		t.Errorf("activity %+v", a)
	}
	var codes []string
	for _, e := range a.Errors {
		codes = append(codes, e.Code)
	}
	if !slices.Equal(codes, []string{"ResourceOperationFailure", "VMExtensionProvisioningError"}) || a.Errors[1].Target != "3" {
		t.Errorf("errors %v of %+v", codes, a.Errors)
	}
}

// An instance without a host name gets the name that Azure gives to instances of scale sets.
func TestAzureInstanceIsItsNode(t *testing.T) {
	b := collect.NewBuilder(evidence.Source{}, builtin(t))
	b.AddStream("i.json", strings.NewReader(`{"name": "aks-spot-12345678-vmss_46", "id": "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/s/virtualMachines/46",
		"instanceView": {"vmAgent": {"statuses": [{"code": "ProvisioningState/Unavailable", "message": "VM status blob is found but not yet populated."}]}}}`))
	matches := b.Snapshot().Data().Matches
	if len(matches) == 0 {
		t.Fatal("nothing was found")
	}
	for _, m := range matches {
		if m.Subject != evidence.NodeSubject("aks-spot-12345678-vmss00001a") {
			t.Errorf("%s is about %s", m.Signature, m.Subject)
		}
	}
}

func azure(t *testing.T, file string) *evidence.Data {
	t.Helper()
	data, err := os.ReadFile("testdata/azure/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, file, data)
}
