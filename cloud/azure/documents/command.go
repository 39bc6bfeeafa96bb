package documents

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// commandKey marks an object that is not a document but a command from the text.
const commandKey = "azCommand"

var (
	azSpoken = lazyregexp.New(`\baz (?:aks|vmss|vm|network|lock|monitor) [a-z-]+ [^\n]{0,400}?-[a-z-]+[ =][^\n]{1,400}`)
	azOption = lazyregexp.New(`(?:^| )(--?[a-z][a-z-]*)[ =]+["']?([A-Za-z0-9][\w.()-]*)`)
)

// options returns the options of an az command, long and short, with their values.
func options(command string) func(names ...string) string {
	values := map[string]string{}
	for _, m := range azOption.FindAllStringSubmatch(command, -1) {
		values[m[1]] = m[2]
	}
	return func(names ...string) string {
		for _, name := range names {
			if values[name] != "" {
				return values[name]
			}
		}
		return ""
	}
}

// namesGiven returns the names in the options of an az command.
func namesGiven(command string) map[string]string {
	out, option := map[string]string{}, options(command)
	group, name := option("--resource-group", "-g"), option("--name", "-n")
	put(out, "region", region(option("--location", "-l")))
	put(out, "size", option("--node-vm-size", "--vm-size", "--size"))
	switch {
	case strings.HasPrefix(command, "az aks nodepool "), strings.HasPrefix(command, "az aks machine "):
		put(out, "cluster-group", group)
		put(out, "cluster-name", option("--cluster-name"))
		put(out, "pool", option("--nodepool-name", "--name", "-n"))
	case strings.HasPrefix(command, "az aks "):
		put(out, "cluster-group", group)
		put(out, "cluster-name", name)
		put(out, "pool", option("--nodepool-name"))
	case strings.HasPrefix(command, "az vmss "):
		put(out, "node-resource-group", group)
		namesOfSet(out, option("--name", "-n", "--vmss-name"))
	}
	machinesIn(out, group)
	if asked := askedOf(azAsked, command); strings.HasPrefix(command, "az monitor ") {
		namesOfID(out, asked)
		if out["pool"] != "" {
			put(out, "resource-id", asked)
		}
	}
	return out
}

// asked is the target of a command without output.
type asked struct {
	on         shell.Text // options that select it
	categories shell.Text // categories that a diagnostic setting can send
	elsewhere  shell.Text // where the other categories are
	assignee   string     // principal whose roles were listed
}

func always(how shell.Text) func(asked) shell.Text { return func(asked) shell.Text { return how } }

// emptyAnswers are the meanings of an empty list by command; {name} is the target, {keeps} the categories that a
// diagnostic setting can send.
var emptyAnswers = []struct {
	command, why string
	how          func(asked) shell.Text
}{
	{"az monitor diagnostic-settings list ", "there are no diagnostic settings: the {keeps} of {name} were not stored",
		func(a asked) shell.Text {
			return "to store them for the next failure: az monitor diagnostic-settings create " + a.on + " -n kept --workspace <workspace-id> " + a.categories + a.elsewhere
		}},
	{"az monitor activity-log list ", "the activity log has no entry in the requested time: entries are up to 15 minutes late and kept for 90 days; without --offset only the last 6 hours are shown",
		func(a asked) shell.Text { return "az monitor activity-log list " + a.on + " --offset 7d -o json" }},
	{"az lock list ", "there is no lock on the requested scope or below; locks of other groups or of the whole subscription are not in this list",
		always("check the node resource group, the cluster's group, and all: az lock list -o table")},
	{"az role assignment list ", "there is no role assignment for the request: without --all only roles on the whole subscription are listed; an identity without roles is denied every action",
		func(a asked) shell.Text {
			return shell.Format("az role assignment list --assignee {object-id} --all --include-groups -o table", a.assignee)
		}},
	{"az policy assignment list ", "no policy is assigned at this scope; inherited ones are listed only with --disable-scope-strict-match",
		always("az policy assignment list --disable-scope-strict-match -o table")},
	{"az policy state list ", "no existing resource violates a policy; denied creations are not in this list",
		always("az policy assignment list --disable-scope-strict-match -o table; the activity log has RequestDisallowedByPolicy")},
}

// azAssignee matches the principal whose roles a command lists.
var azAssignee = lazyregexp.New(`--assignee[ =]["']?([^\s"']+)`)

// azAsked matches the target of an az monitor command, azOn the options that select it.
var (
	azAsked        = lazyregexp.New(`--(?:resource|resource-id|ids)[ =]["']?(/subscriptions/[^\s"']+)`)
	azResource     = lazyregexp.New(`--resource[ =]["']?([^\s"'/]+)`)
	azResourceType = lazyregexp.New(`--resource-type[ =]["']?([^\s"']+)`)
	azOn           = lazyregexp.New(`(?:^| )((?:--(?:resource(?:-id|-type|-group|-namespace|-parent)?|namespace|parent|subscription)|-g)[ =]["']?[^\s"']+["']?)`)
)

// askedOf returns the match of the expression in a command, or "".
func askedOf(re *lazyregexp.Regexp, command string) string {
	if m := re.FindStringSubmatch(command); m != nil {
		return m[1]
	}
	return ""
}

// nothing returns the meaning of an empty answer of the command; false: it only means an empty list.
func nothing(command string) (why string, how shell.Text, known bool) {
	id := askedOf(azAsked, command)
	name, typ := cmp.Or(id[strings.LastIndexByte(id, '/')+1:], askedOf(azResource, command), "<cluster-id>"), cmp.Or(typeOfID(id), strings.ToLower(askedOf(azResourceType, command)))
	keeps, about := "logs", asked{on: "--resource <cluster-id>", categories: `--logs '[{"categoryGroup":"allLogs","enabled":true}]'`, assignee: askedOf(azAssignee, command)}
	if onlyMetrics[typ[strings.LastIndexByte(typ, '/')+1:]] {
		keeps, about.categories = "metrics", `--metrics '[{"category":"AllMetrics","enabled":true}]'`
		about.elsewhere = "; it has no logs: those of the cluster are kept by the cluster's setting, az monitor diagnostic-settings list --resource <cluster-id>"
	}
	if strings.Contains(command, " activity-log ") {
		about.on = "--resource-id <cluster-id>"
	}
	if typed, ok := shell.Typed(askedOn(command)); ok {
		about.on = typed
	}
	fill := strings.NewReplacer("{name}", name, "{keeps}", keeps)
	for _, e := range emptyAnswers {
		if strings.HasPrefix(command+" ", e.command) {
			return fill.Replace(e.why), e.how(about), true
		}
	}
	return "", "", false
}

// onlyMetrics are resource types, by their last segment, whose diagnostic settings have no logs.
var onlyMetrics = map[string]bool{"virtualmachinescalesets": true, "virtualmachines": true}

// askedOn returns the options with which a command selects its target.
func askedOn(command string) string {
	var out []string
	for _, m := range azOn.FindAllStringSubmatch(command, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}
