package nodetriage_test

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// What knows a provider's shapes lives in that provider's package below cloud: a second cloud needs no change elsewhere.
// Outside of it no file may name the first one more often than it does here, each with its reason; a number may fall.
var namesProvider = map[string]struct {
	times int
	why   string
}{
	"accuracy/dress_object.go":                 {2, "names of programs and services that write messages"},
	"accuracy/speaker.go":                      {3, "names of programs and services that write messages"},
	"agent/cloud.go":                           {11, "what each cloud leaves on a machine"},
	"agent/logfiles.go":                        {2, "what each cloud leaves on a machine"},
	"cases/casetest/platforms.go":              {14, "nodes of the platforms on which tests judge commands"},
	"cmd/nodetriage-controller/settings.go":    {2, "flags and help"},
	"cmd/nodetriage/azure.go":                  {31, "flags and the wiring of the live readers"},
	"cmd/nodetriage/complete.go":               {1, "flags and help"},
	"cmd/nodetriage/nodecheck.go":              {3, "flags and help"},
	"cmd/nodetriage/repair.go":                 {9, "flags and the wiring of the live readers"},
	"cmd/nodetriage/repair_run.go":             {2, "flags and the wiring of the live readers"},
	"cmd/nodetriage/upgrade.go":                {7, "flags and help"},
	"cmd/nodetriage/verify.go":                 {2, "flags and help"},
	"collect/layouts/periscope.go":             {5, "names of a provider's files and settings in foreign dumps"},
	"knowledge/components/network.go":          {15, "the entries of the provider's network plugin"},
	"knowledge/components/storage.go":          {2, "the entries of the provider's storage drivers"},
	"knowledge/clouds/clouds.go":               {13, "the table of clouds"},
	"evidence/condition.go":                    {2, "labels, taints and conditions that a provider sets on nodes"},
	"evidence/provider_labels.go":              {14, "labels, taints and conditions that a provider sets on nodes: the one file that has them"},
	"evidence/ref.go":                          {1, "labels, taints and conditions that a provider sets on nodes"},
	"knowledge/logline/speaker.go":             {2, "names of programs and services that write messages"},
	"answers/nodes/taint.go":                   {1, "labels, taints and conditions that a provider sets on nodes"},
	"evidence/nodereport/report.go":            {1, "what each cloud leaves on a machine"},
	"answers/repair/about.go":                  {3, "advice with commands of the provider's tool, labels, and sources of figures"},
	"answers/repair/cloud.go":                  {4, "advice with commands of the provider's tool, labels, and sources of figures"},
	"answers/check/checks_cloud.go":            {5, "advice with commands of the provider's tool, labels, and sources of figures"},
	"answers/check/checks_cloud_images.go":     {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/cloud/cloud_activities.go":   {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/cloud/cloud_counts.go":       {2, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/cloud/cloud_health.go":       {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/cloud/cloud_operations.go":   {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/cloud/cloud_repair.go":       {2, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/facts/cloud_state.go":        {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/facts/cloud_window.go":       {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/facts/drain_signs.go":        {1, "labels, names of programs and sources of figures"},
	"triage/rules/facts/peers.go":              {2, "labels, names of programs and sources of figures"},
	"triage/rules/nodes/cloud_taints.go":       {3, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/nodes/cordon.go":             {1, "labels, names of programs and sources of figures"},
	"triage/rules/nodes/upgrade.go":            {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"triage/rules/nodes/upgrade_leftovers.go":  {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"answers/predict/volume.go":                {1, "labels and drivers of volumes"},
	"mechanics/attach.go":                      {1, "labels and drivers of volumes"},
	"answers/upgrade/pods.go":                  {1, "styles of upgrades are named after the services that have them"},
	"answers/upgrade/rollout.go":               {1, "styles of upgrades are named after the services that have them"},
	"answers/upgrade/settings.go":              {5, "styles of upgrades are named after the services that have them"},
	"answers/upgrade/strategy.go":              {11, "styles of upgrades are named after the services that have them"},
	"answers/upgrade/stuck.go":                 {2, "styles of upgrades are named after the services that have them"},
	"answers/verify/cloud.go":                  {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"controller/alertwebhook/forms.go":         {1, "the media type of messages to a chat"},
	"evidence/redact/command_table.go":         {1, "a command line that holds a password"},
	"evidence/redact/forms.go":                 {1, "where a provider's keys stand"},
	"evidence/redact/json.go":                  {2, "where a provider's keys stand"},
	"evidence/redact/shapes.go":                {2, "where a provider's keys stand"},
	"agent/bootstrap.go":                       {5, "what each cloud leaves on a machine"},
	"evidence/nodereport/how.go":               {1, "what each cloud leaves on a machine"},
	"evidence/nodereport/kernel.go":            {1, "what each cloud leaves on a machine"},
	"triage/rules/reports/report_bootstrap.go": {4, "what each cloud leaves on a machine"},
	"evidence/anonymize/cloud.go":              {2, "which parts of a provider's names people chose"},
	"evidence/anonymize/declare.go":            {4, "which parts of a provider's names people chose"},
	"evidence/anonymize/forms.go":              {6, "which parts of a provider's names people chose"},
	"evidence/anonymize/keep.go":               {14, "hosts and namespaces that the provider named"},
}

var provider = regexp.MustCompile(`(?i)azure|\baks\b|\baz (?:aks|vmss|vm|rest|lock|network|monitor|account|policy|role|provider|resource|group|graph|login)\b|\bmicrosoft\.|(?-i:\bARM\b)`)

func TestProvidersStayInTheirPackages(t *testing.T) {
	seen := map[string]int{}
	eachSource(t, func(name string, _ *ast.File) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cloud/") && path.Dir(name) != "cloud" {
			return
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(source), `"`+module+`cloud/azure`, "") // an import, which imports_test.go judges
		seen[name] = len(provider.FindAllString(text, -1))
		if n, most := seen[name], namesProvider[name].times; n > most {
			t.Errorf("%s names a provider %d times, %d are known: what knows its shapes belongs below cloud, and labels to the file that has them", name, n, most)
		}
	})
	for name, known := range namesProvider {
		if seen[name] == 0 || known.why == "" {
			t.Errorf("%s is listed and names no provider any more, or has no reason", name)
		}
	}
}
