package nodetriage_test

import (
	"go/ast"
	"os"
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
	"accuracy/dress_object.go":     {2, "names of programs and services that write messages"},
	"accuracy/speaker.go":          {3, "names of programs and services that write messages"},
	"agent/cloud.go":               {11, "what each cloud leaves on a machine"},
	"agent/logfiles.go":            {3, "what each cloud leaves on a machine"},
	"agent/modules.go":             {2, "what each cloud leaves on a machine"},
	"cmd/nodetriage/azure.go":      {28, "flags and the wiring of the live readers"},
	"cmd/nodetriage/nodecheck.go":  {3, "flags and help"},
	"cmd/nodetriage/repair.go":     {14, "flags and the wiring of the live readers"},
	"cmd/nodetriage/repair_run.go": {4, "flags and the wiring of the live readers"},
	"cmd/nodetriage/upgrade.go":    {7, "flags and help"},
	"cmd/nodetriage/verify.go":     {1, "flags and help"},
	"collect/contact.go":           {2, "names of a provider's files and settings in foreign dumps"},
	"collect/place.go":             {3, "names of a provider's files and settings in foreign dumps"},
	"evidence/condition.go":        {3, "labels, taints and conditions that a provider sets on nodes"},
	"evidence/pool.go":             {1, "labels, taints and conditions that a provider sets on nodes"},
	"evidence/ref.go":              {1, "labels, taints and conditions that a provider sets on nodes"},
	"execute/repair.go":            {1, "a law of the service that is acted on"},
	"logline/speaker.go":           {6, "names of programs and services that write messages"},
	"logline/topic.go":             {2, "names of programs and services that write messages"},
	"nodemap/taint.go":             {3, "labels, taints and conditions that a provider sets on nodes"},
	"nodereport/report.go":         {1, "what each cloud leaves on a machine"},
	"plan/checks_cloud.go":         {15, "advice with commands of the provider's tool, labels, and sources of figures"},
	"plan/checks_cloud_images.go":  {5, "advice with commands of the provider's tool, labels, and sources of figures"},
	"plan/repair_cloud.go":         {7, "advice with commands of the provider's tool, labels, and sources of figures"},
	"plan/repair_node.go":          {4, "advice with commands of the provider's tool, labels, and sources of figures"},
	"plan/upgrade_course.go":       {1, "styles of upgrades are named after the services that have them"},
	"plan/upgrade_pods.go":         {1, "styles of upgrades are named after the services that have them"},
	"plan/upgrade_pool.go":         {2, "styles of upgrades are named after the services that have them"},
	"plan/upgrade_settings.go":     {5, "styles of upgrades are named after the services that have them"},
	"plan/upgrade_stuck.go":        {3, "styles of upgrades are named after the services that have them"},
	"plan/upgrade_style.go":        {12, "styles of upgrades are named after the services that have them"},
	"rules/agents.go":              {4, "labels, names of programs and sources of figures"},
	"rules/cloud_activities.go":    {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_confirmed.go":     {8, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_counts.go":        {5, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_disks.go":         {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_health.go":        {2, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_machines.go":      {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_operations.go":    {4, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_order.go":         {2, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_outbound.go":      {3, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_power.go":         {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_repair.go":        {3, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_required.go":      {5, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_room.go":          {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_state.go":         {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_strength.go":      {2, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_subscription.go":  {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_taints.go":        {5, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cloud_window.go":        {3, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/cni_leftovers.go":       {1, "labels, names of programs and sources of figures"},
	"rules/cni_two_configs.go":     {1, "labels, names of programs and sources of figures"},
	"rules/cordon.go":              {2, "labels, names of programs and sources of figures"},
	"rules/drain_signs.go":         {1, "labels, names of programs and sources of figures"},
	"rules/pools.go":               {4, "labels, names of programs and sources of figures"},
	"rules/provider.go":            {9, "labels, names of programs and sources of figures"},
	"rules/report_connections.go":  {2, "labels, names of programs and sources of figures"},
	"rules/spot_nodes.go":          {2, "labels, names of programs and sources of figures"},
	"rules/upgrade.go":             {1, "advice with commands of the provider's tool, labels, and sources of figures"},
	"rules/upgrade_leftovers.go":   {4, "advice with commands of the provider's tool, labels, and sources of figures"},
	"simulate/volume.go":           {2, "labels and drivers of volumes"},
	"triage/traits.go":             {2, "labels, taints and conditions that a provider sets on nodes"},
	"verify/cloud.go":              {15, "advice with commands of the provider's tool, labels, and sources of figures"},
	"verify/cloud_counted.go":      {1, "advice with commands of the provider's tool, labels, and sources of figures"},
}

var provider = regexp.MustCompile(`(?i)azure|\baks\b|\baz (?:aks|vmss|vm|rest|lock|network|monitor|account|policy|role|provider|resource|group|graph|login)\b|\bmicrosoft\.|(?-i:\bARM\b)`)

func TestProvidersStayInTheirPackages(t *testing.T) {
	seen := map[string]int{}
	eachSource(t, func(name string, _ *ast.File) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cloud/azure/") || strings.HasPrefix(name, "cloud/providers/") {
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
