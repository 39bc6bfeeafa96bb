package collect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
)

// The JSON of clouds nests its errors: an activity log holds a JSON document as a string, whose message
// holds another. flatten unwinds all of it into lines `"key": "value"`, each with its path, so that the
// signatures see the innermost text and the finding can say where it stood.
type flatJSON struct {
	lines []string
	paths []string
}

const (
	maxFlatLines = 20_000
	maxFlatDepth = 40
)

func (f *flatJSON) walk(path, key string, v any, depth int) {
	if depth > maxFlatDepth || len(f.lines) >= maxFlatLines {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			f.walk(path+"."+k, k, v[k], depth+1)
		}
	case []any:
		for i, e := range v {
			f.walk(path+"["+strconv.Itoa(i)+"]", key, e, depth+1)
		}
	case string:
		f.text(path, key, v, depth)
	case nil:
	default:
		f.add(path, fmt.Sprintf("%q: %v", key, v))
	}
}

// text adds a string: as a document if it is one, else line by line, with a document inside unwound too.
func (f *flatJSON) text(path, key, s string, depth int) {
	if inner, ok := embedded(s); ok {
		f.walk(path, key, inner, depth+1)
		return
	}
	for i, line := range strings.Split(strings.ReplaceAll(s, `\n`, "\n"), "\n") {
		line = strings.TrimRight(line, "\r ")
		if line == "" {
			continue
		}
		if i == 0 {
			f.add(path, fmt.Sprintf("%q: \"%s\"", key, line))
		} else {
			f.add(path, line)
		}
		if at := strings.IndexAny(line, "{["); at > 0 {
			if inner, ok := embedded(line[at:]); ok {
				f.walk(path, key, inner, depth+1)
			}
		}
	}
}

func (f *flatJSON) add(path, line string) {
	if len(f.lines) < maxFlatLines {
		f.lines = append(f.lines, Bound(line, 4<<10))
		f.paths = append(f.paths, strings.TrimPrefix(path, "."))
	}
}

// embedded decodes the JSON document at the start of s; text may follow it.
func embedded(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return nil, false
	}
	var v any
	if err := json.NewDecoder(strings.NewReader(s)).Decode(&v); err != nil {
		return nil, false
	}
	switch v := v.(type) {
	case map[string]any:
		return v, len(v) > 0
	case []any:
		return v, len(v) > 0
	}
	return nil, false
}

// addCloud adds the JSON of a cloud's tool, if it is one: something with a provisioning state, an activity,
// an instance view, an error body.
func (b *Builder) addCloud(name string, raw []byte) bool {
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil || !cloudLike(tree) {
		return false
	}
	var flat flatJSON
	flat.walk("", "", tree, 0)
	tallies, err := b.signatures.Scan(strings.NewReader(strings.Join(flat.lines, "\n")), signatures.Options{Kind: evidence.TextCloud})
	if err != nil {
		return false
	}
	label := text(tree, "name")
	if label == "" {
		label = lastPart(text(tree, "id", "resourceId", "instanceId"))
	}
	at := stamp(text(tree, "eventTimestamp"))
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, t := range tallies {
			m := match(t, strings.TrimSpace(name+" "+label), evidence.TextCloud, cloudSubject(tree))
			m.Ref.Locator = flat.paths[t.Line-1]
			m.Ref.ObservedAt = at
			d.Matches = append(d.Matches, m)
		}
		addCloudValues(d, tree, name, at)
	})
	return true
}

func cloudLike(tree map[string]any) bool {
	if text(tree, "eventTimestamp") != "" || text(tree, "nodeImageVersion", "agentPoolType") != "" {
		return true
	}
	for _, k := range []string{"provisioningState", "instanceView", "vmAgent", "latestModelApplied", "nodeResourceGroup", "statusMessage", "provisioningError"} {
		if _, ok := tree[k]; ok {
			return true
		}
	}
	if props, ok := tree["properties"].(map[string]any); ok {
		return cloudLike(props)
	}
	if inner, ok := tree["error"].(map[string]any); ok {
		return text(inner, "code", "Code") != ""
	}
	if text(tree, "code", "Code") != "" && text(tree, "message", "Message") != "" {
		return true
	}
	_, usage := tree["currentValue"]
	_, lock := tree["level"]
	return usage && tree["limit"] != nil || lock && strings.Contains(text(tree, "type"), "locks") ||
		strings.HasPrefix(text(tree, "id"), "/subscriptions/")
}

func addCloudValues(d *evidence.Data, tree map[string]any, name string, at time.Time) {
	ref := evidence.Ref{Source: name, ObservedAt: at}
	errs := cloudErrors(tree)
	if op := text(tree, "operationName.value", "operationName"); op != "" {
		d.CloudActivities = append(d.CloudActivities, &evidence.CloudActivity{
			Operation: op, Status: text(tree, "status.value", "status"), Time: at, Caller: text(tree, "caller"),
			Resource: text(tree, "resourceId"), Errors: errs, Ref: ref,
		})
		return
	}
	r := &evidence.CloudResource{
		Type: cloudType(tree), ID: text(tree, "id"), Name: text(tree, "name", "computerName"),
		Provisioning: text(tree, "provisioningState", "properties.provisioningState"),
		Power:        text(tree, "powerState.code", "properties.powerState.code"),
		Errors:       errs, Ref: ref, Properties: map[string]string{},
	}
	for _, k := range []string{
		"count", "vmSize", "mode", "nodeImageVersion", "orchestratorVersion", "currentOrchestratorVersion", "enableAutoScaling",
		"minCount", "maxCount", "maxPods", "instanceId", "latestModelApplied", "limit", "currentValue", "level", "notes",
	} {
		for _, at := range []string{k, "properties." + k} {
			if v, ok := lookup(tree, at); ok && v != nil {
				r.Properties[k] = fmt.Sprint(v)
			}
		}
	}
	for _, code := range statusCodes(tree) {
		if state, ok := strings.CutPrefix(code, "PowerState/"); ok && r.Power == "" {
			r.Power = state
		}
		if state, ok := strings.CutPrefix(code, "ProvisioningState/"); ok && r.Provisioning == "" {
			r.Provisioning = state
		}
	}
	d.CloudResources = append(d.CloudResources, r)
}

// cloudErrors lists every code with a message in the tree, the outermost first.
func cloudErrors(v any) []evidence.CloudError {
	var out []evidence.CloudError
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > maxFlatDepth || len(out) >= 50 {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			code, message := text(v, "code", "Code"), text(v, "message", "Message")
			if code != "" && !strings.HasPrefix(code, "PowerState/") && !strings.Contains(strings.ToLower(code), "succeeded") {
				out = append(out, evidence.CloudError{Code: Bound(code, 200), Message: Bound(message, maxEvidence), Target: text(v, "target")})
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				visit(v[k], depth+1)
			}
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case string:
			if inner, ok := embedded(v); ok {
				visit(inner, depth+1)
			}
		}
	}
	visit(v, 0)
	return out
}

func statusCodes(tree map[string]any) []string {
	var out []string
	for _, at := range []string{"statuses", "instanceView.statuses", "properties.instanceView.statuses"} {
		list, _ := lookup(tree, at)
		items, _ := list.([]any)
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				out = append(out, text(m, "code"))
			}
		}
	}
	return out
}

func cloudType(tree map[string]any) string {
	typ := strings.ToLower(text(tree, "type") + " " + text(tree, "id"))
	switch {
	case strings.Contains(typ, "/agentpools"):
		return "pool"
	case strings.Contains(typ, "managedclusters"):
		return "cluster"
	case strings.Contains(typ, "virtualmachinescalesets") && strings.Contains(typ, "/virtualmachines"):
		return "instance"
	case strings.Contains(typ, "virtualmachinescalesets"):
		return "scale-set"
	case strings.Contains(typ, "virtualmachines"):
		return "instance"
	case strings.Contains(typ, "/locks"):
		return "lock"
	case tree["currentValue"] != nil && tree["limit"] != nil:
		return "quota"
	case tree["vmAgent"] != nil || tree["computerName"] != nil:
		return "instance"
	}
	return "other"
}

func cloudSubject(tree map[string]any) evidence.Subject {
	switch cloudType(tree) {
	case "pool":
		return evidence.Subject{Kind: "Pool", Name: text(tree, "name")}
	case "cluster":
		return evidence.ClusterSubject()
	case "instance":
		if host := text(tree, "computerName", "osProfile.computerName", "properties.osProfile.computerName"); host != "" {
			return evidence.NodeSubject(strings.ToLower(host))
		}
	}
	return evidence.Subject{}
}

// lookup follows a path of keys.
func lookup(tree map[string]any, path string) (any, bool) {
	var v any = tree
	for _, k := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[k]; !ok {
			return nil, false
		}
	}
	return v, true
}

// text returns the first of the paths that holds a string.
func text(tree map[string]any, paths ...string) string {
	for _, p := range paths {
		if v, ok := lookup(tree, p); ok {
			if s, ok := v.(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
}

func lastPart(id string) string { return id[strings.LastIndex(id, "/")+1:] }

func stamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
