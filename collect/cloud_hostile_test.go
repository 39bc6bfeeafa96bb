package collect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// denied is an activity log entry with its error two strings deep.
const denied = `{"eventTimestamp": "2026-06-02T00:31:44Z", "operationName": {"value": "Microsoft.Compute/virtualMachineScaleSets/write"}, "operationId": "op-1", "status": {"value": "Failed"}, "resourceId": "` + set + `",
 "properties": {"statusMessage": "{\"status\":\"Failed\",\"error\":{\"code\":\"ResourceOperationFailure\",\"message\":\"x\",\"details\":[{\"code\":\"RequestDisallowedByPolicy\",\"message\":\"Resource was disallowed by policy.\"}]}}"}}`

// A damaged document still matches, or a gap reports it.
func TestAzureDamaged(t *testing.T) {
	known := builtin(t)
	for _, c := range []struct{ name, text, says string }{
		{"whole", denied, "cloud-policy-denied"},
		{"in a list with others", `[` + denied + `, 7, null, "x", [], {"a": 1}]`, "cloud-policy-denied"},
		{"encoded twice", fmt.Sprintf("%q", denied), "cloud-policy-denied"},
		{"encoded three times", fmt.Sprintf("%q", fmt.Sprintf("%q", denied)), "cloud-policy-denied"},
		{"cut after the code", denied[:strings.Index(denied, "RequestDisallowedByPolicy")+40], "cloud-policy-denied"},
		{"its end first", denied[200:] + "\n" + denied[:200], "cloud-policy-denied"},
		{"a field twice", strings.Replace(denied, `"status": {`, `"status": null, "status": {`, 1), "cloud-policy-denied"},
		{"a status message of 10 MB", strings.Replace(denied, `\"x\"`, `\"`+strings.Repeat("lorem ipsum ", 10<<20/12)+`\"`, 1), "cloud-policy-denied"},
		{"the portal's words, in German", "Fehler beim Skalieren des Knotenpools\nCode: RequestDisallowedByPolicy\nMeldung: Die Ressource wurde durch eine Richtlinie nicht zugelassen.", "cloud-policy-denied"},
		{"the portal's words, in Japanese", "ノード プールのスケーリングに失敗しました (コード: SubnetIsFull, ターゲット: np1)", "cloud-subnet-full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, "standard input", []byte(c.text))
			if !slices.ContainsFunc(d.Matches, func(m *evidence.Match) bool { return known.Lookup(m.Signature).Says == c.says }) && len(d.Gaps) == 0 {
				t.Errorf("neither %s nor a gap: %d matches, %d resources", c.says, len(d.Matches), len(d.CloudResources))
			}
			for _, m := range d.Matches {
				if s := known.Lookup(m.Signature); s.Says == c.says && s.Hit(m.Ref.Text) == "" {
					t.Errorf("the evidence does not quote what it says: %.60s ... of %d bytes", m.Ref.Text, len(m.Ref.Text))
				}
			}
		})
	}
}

// A document that is cut off at any byte causes no crash and no invented state.
func TestAzureCut(t *testing.T) {
	known := builtin(t)
	for end := 0; end < len(denied); end += 7 {
		d := read(t, "standard input", []byte(denied[:end]))
		for _, m := range d.Matches {
			if says := known.Lookup(m.Signature).Says; says == "cloud-policy-denied" && end < strings.Index(denied, "RequestDisallowedByPolicy")+len("RequestDisallowedByPolicy") {
				t.Fatalf("%d bytes already say %s", end, says)
			}
		}
	}
}

// Unknown states are kept as they are, and mean nothing.
func TestAzureUnknownStates(t *testing.T) {
	d := read(t, "p.json", []byte(`[{"id": "`+pool+`", "name": "np1", "count": "many", "maxPods": -1, "provisioningState": "Frobnicating", "powerState": {"code": "Levitating"}, "type": 7, "tags": "none", "upgradeSettings": []},
		{"id": "`+set+`/virtualMachines/3", "name": "a_3", "instanceView": {"statuses": [{"code": "ProvisioningState/dreaming"}, {"code": 7}, "x", null], "vmAgent": "no", "disks": {}, "extensions": null}},
		{"id": "`+pool+`/upgradeProfiles/default", "latestNodeImageVersion": {}}, {"id": "`+set+`", "sku": [], "tags": {"aks-managed-poolName": 7}}]`))
	var got []string
	for _, r := range d.CloudResources {
		got = append(got, r.Item().Type+" "+r.Item().State+" "+r.Item().Power)
	}
	if want := []string{"pool Frobnicating Levitating", "instance dreaming ", "pool-upgrade  ", "scale-set  "}; !slices.Equal(got, want) {
		t.Errorf("resources %q", got)
	}
	if len(d.Matches) > 0 {
		t.Errorf("unknown states say something: %v", d.Matches[0])
	}
}

// Portal text in another language, without an error code, matches nothing.
func TestAzureForeignWords(t *testing.T) {
	d := read(t, "standard input", []byte("Der Vorgang ist fehlgeschlagen. Das Kontingent wurde überschritten. Wenden Sie sich an den Administrator.\n操作失败。配额不足。\n"))
	if len(d.Matches) > 0 {
		t.Errorf("found %v", d.Matches[0])
	}
}

// One paste may hold the output of several az commands as JSON, tables and errors, with prompts and words in between.
func TestAzureMixedPaste(t *testing.T) {
	text := azurePaste + "$ az aks nodepool list -g rg --cluster-name aks -o table\nName    OsType    Count    ProvisioningState\n------  --------  -------  -------------------\nnp1     Linux     6        Failed\n" +
		"PS> az aks nodepool scale -g rg --cluster-name aks -n np1 -c 9\n(SubnetIsFull) Subnet nodes does not have enough capacity for 31 IP addresses.\nCode: SubnetIsFull\n" +
		"$ az lock list -g MC_rg\n[\n  {\n    \"id\": \"/subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Authorization/locks/keep\",\n    \"level\": \"CanNotDelete\",\n    \"name\": \"keep\",\n    \"type\": \"Microsoft.Authorization/locks\"\n  }\n]\n" +
		"and the log:\n" + strings.Replace(denied, "{", "{\n", 1) + "\n"
	d := read(t, "standard input", []byte(text))
	var kinds []string
	for _, r := range d.CloudResources {
		kinds = append(kinds, r.Item().Type)
	}
	if !slices.Equal(kinds, []string{"pool, in words", "pool", "instance", "lock"}) || len(d.CloudActivities) != 1 {
		t.Errorf("resources %q, %d activities, gaps %v", kinds, len(d.CloudActivities), d.Gaps)
	}
	known := builtin(t)
	for _, want := range []string{"cloud-subnet-full", "cloud-policy-denied"} {
		if !slices.ContainsFunc(d.Matches, func(m *evidence.Match) bool { return known.Lookup(m.Signature).Says == want }) {
			t.Errorf("nothing says %s", want)
		}
	}
}

func FuzzAzureValues(f *testing.F) {
	f.Add(denied)
	f.Add(`{"id": "` + pool + `/maintenanceConfigurations/x", "maintenanceWindow": {"durationHours": 4, "schedule": {"weekly": {"dayOfWeek": "Sunday"}}, "startTime": "00:00", "utcOffset": "+00:00"}}`)
	f.Add(`{"resourceType": "virtualMachines", "locationInfo": [{"zones": ["1"]}], "restrictions": [{"type": "Zone", "restrictionInfo": {"zones": ["2"]}}]}`)
	known := builtin(f)
	f.Fuzz(func(t *testing.T, text string) {
		b := collect.NewBuilder(evidence.Source{}, known)
		b.AddStream("az.json", strings.NewReader(text))
		for _, r := range b.Snapshot().Data().CloudResources {
			switch r := r.(type) {
			case *evidence.CloudWindow:
				if r.Opens != nil {
					_ = r.Opens.Holds(b.Snapshot().TakenAt())
					_ = r.Opens.String()
				}
			case *evidence.CloudPool:
				_ = r.SurgeAddresses(&evidence.CloudCluster{PodsInSubnet: true})
			case *evidence.CloudSize:
				_ = r.Restricted(&evidence.CloudPool{Zones: []string{"2"}})
			}
			if len(r.Item().Name)+len(r.Item().ID) > 1100 {
				t.Errorf("an unbounded name of %d bytes", len(r.Item().Name)+len(r.Item().ID))
			}
		}
	})
}
