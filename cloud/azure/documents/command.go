package documents

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// commandKey is the field of an object that is no document but a command that somebody gave.
const commandKey = "azCommand"

var (
	azSpoken = lazyregexp.New(`\baz (?:aks|vmss|vm|network|lock|monitor) [a-z-]+ [^\n]{0,400}?-[a-z-]+[ =][^\n]{1,400}`)
	azOption = lazyregexp.New(`(?:^| )(--?[a-z][a-z-]*)[ =]+["']?([A-Za-z0-9][\w.()-]*)`)
)

// options are those of a command of az, the long and the short way, and their values.
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

// namesGiven are the names that a command of az was given.
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

// asked is what a command that printed nothing was about.
type asked struct {
	on         shell.Text // the options that say it
	categories shell.Text // what a setting of it can send
	elsewhere  shell.Text // where the rest is
	assignee   string     // whose roles were asked for
}

func always(how shell.Text) func(asked) shell.Text { return func(asked) shell.Text { return how } }

// emptyAnswers say what it means that a command printed nothing but an empty list; {name} is what it was about, {keeps} what a setting
// of it can send.
var emptyAnswers = []struct {
	command, why string
	how          func(asked) shell.Text
}{
	{"az monitor diagnostic-settings list ", "there are no diagnostic settings: the {keeps} of {name} were not kept anywhere",
		func(a asked) shell.Text {
			return "to have them of the next failure: az monitor diagnostic-settings create " + a.on + " -n kept --workspace <workspace-id> " + a.categories + a.elsewhere
		}},
	{"az monitor activity-log list ", "the activity log has no entry in the time that was asked for: it comes up to 15 minutes late, is kept for 90 days, and without --offset only the last 6 hours are shown",
		func(a asked) shell.Text { return "az monitor activity-log list " + a.on + " --offset 7d -o json" }},
	{"az lock list ", "there is no lock on what was asked for, nor below it: that of another group or of the whole subscription is not in that list",
		always("the group of the nodes, that of the cluster, and all: az lock list -o table")},
	{"az role assignment list ", "there is no role for what was asked: without --all only roles on the whole subscription are listed; an identity without any is refused all that it asks for",
		func(a asked) shell.Text {
			return shell.Format("az role assignment list --assignee {object-id} --all --include-groups -o table", a.assignee)
		}},
	{"az policy assignment list ", "no policy is assigned at that scope itself: those of the subscription and the groups above are listed with --disable-scope-strict-match alone",
		always("az policy assignment list --disable-scope-strict-match -o table")},
	{"az policy state list ", "nothing that exists breaks a policy: what one forbids to be made is not there, and not in that list",
		always("az policy assignment list --disable-scope-strict-match -o table; the activity log has RequestDisallowedByPolicy")},
}

// azAssignee is the identity of whose roles was asked.
var azAssignee = lazyregexp.New(`--assignee[ =]["']?([^\s"']+)`)

// azAsked is the resource that a command of az monitor asked about, azOn the options that say so.
var (
	azAsked        = lazyregexp.New(`--(?:resource|resource-id|ids)[ =]["']?(/subscriptions/[^\s"']+)`)
	azResource     = lazyregexp.New(`--resource[ =]["']?([^\s"'/]+)`)
	azResourceType = lazyregexp.New(`--resource-type[ =]["']?([^\s"']+)`)
	azOn           = lazyregexp.New(`(?:^| )((?:--(?:resource(?:-id|-type|-group|-namespace|-parent)?|namespace|parent|subscription)|-g)[ =]["']?[^\s"']+["']?)`)
)

// askedOf is what the expression finds in a command; "" if nothing.
func askedOf(re *lazyregexp.Regexp, command string) string {
	if m := re.FindStringSubmatch(command); m != nil {
		return m[1]
	}
	return ""
}

// nothing says what an empty answer of the command means; false: no more than that there is nothing.
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

// onlyMetrics are types of resources, by their last word, whose settings have no logs.
var onlyMetrics = map[string]bool{"virtualmachinescalesets": true, "virtualmachines": true}

// askedOn are the options by which a command says of what it asks.
func askedOn(command string) string {
	var out []string
	for _, m := range azOn.FindAllStringSubmatch(command, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}
