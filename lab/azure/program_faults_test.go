package azure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// The built program gets wrong responses from Azure. Evidence that it could read decides; the rest is a gap with its
// reason. It does not retry forever.
func TestProgramBadAnswers(t *testing.T) {
	const truth = "cloud-capacity-unavailable" // of the scenario: only the pool shows it
	for _, c := range []struct {
		name  string
		fault azure.Fault
		args  []string
		gap   string // in the what or why of a gap
		found bool   // the truth remains
	}{
		{"nobody is logged in", azure.Fault{Match: "/", Status: 401, Code: "InvalidAuthenticationToken", Message: "The access token is invalid."}, nil, "401 InvalidAuthenticationToken", false},
		{"locks are forbidden", azure.Fault{Match: "/locks", Status: 403, Code: "AuthorizationFailed", Message: "The client does not have authorization to perform action 'Microsoft.Authorization/locks/read'."}, nil, "locks/read", true},
		{"the activity log is forbidden", azure.Fault{Match: "/eventtypes/", Status: 403, Code: "AuthorizationFailed", Message: "no"}, nil, "activity log", true},
		{"pages in a circle", azure.Fault{Match: "/virtualMachineScaleSets", Circle: true}, nil, "form a loop", true},
		{"an answer breaks off", azure.Fault{Match: "/usages", CutAt: 20}, nil, "was interrupted", true},
		{"errors of the server", azure.Fault{Match: "/maintenanceConfigurations", Status: 500, Code: "InternalServerError", Message: "no"}, nil, "500 InternalServerError", true},
		{"everything fails", azure.Fault{Match: "/", Status: 503, Code: "ServiceUnavailable", Message: "no"}, nil, "503 ServiceUnavailable", false},
		{"another subscription", azure.Fault{Match: "nowhere"}, []string{"--azure-subscription", "00000000-0000-0000-0000-000000000002"}, "--azure-subscription", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Now()
			s, err := azure.Load("log-empty", now)
			if err != nil {
				t.Fatal(err)
			}
			s.Faults = append(s.Faults, &c.fault)
			e := azure.Start(&s.State)
			defer e.Close()
			kubeconfig, changed := kubernetes(t, s.Cluster(now))
			r := diagnose(t, append([]string{"--kubeconfig", kubeconfig, "--azure-endpoint", e.URL}, c.args...)...)
			var gaps []string
			for _, g := range r.NotChecked {
				gaps = append(gaps, g.What+": "+g.Why+"; "+g.How)
			}
			all := strings.Join(gaps, "\n")
			if !strings.Contains(all, c.gap) {
				t.Errorf("no gap holds %q:\n%s", c.gap, all)
			}
			found := len(r.Findings) > 0 && r.Findings[0].Cause == truth
			if found != c.found || !c.found && len(r.Findings) > 0 {
				t.Errorf("findings %v", r.Findings)
			}
			if n := len(e.Audit()); n > mostReads || len(*changed) > 0 {
				t.Errorf("%d requests, changes %q", n, *changed)
			}
		})
	}
}
