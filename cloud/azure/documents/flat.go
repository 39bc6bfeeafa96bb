package documents

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/wording"
)

// flatJSON flattens a document into lines `"key": "value"`, each with its path. Cloud JSON nests errors: an activity
// log has a JSON document as a string, whose message has another. flatJSON unwraps all levels so that signatures match
// the innermost text and a finding can show its path.
type flatJSON struct {
	lines []string
	paths []string
	size  int
}

const (
	maxFlatLines = 20_000
	maxFlatSize  = 16 << 20 // total bytes of lines
	maxFlatDepth = 40
	maxFlatLine  = 4 << 10
	maxFlatPath  = 300
)

func flattenJSON(tree any) *flatJSON {
	f := &flatJSON{}
	f.walk("", "", tree, 0)
	return f
}

func (f *flatJSON) walk(path, key string, v any, depth int) {
	if depth > maxFlatDepth || len(f.lines) >= maxFlatLines {
		return
	}
	path, key = wording.Cut(path, maxFlatPath), wording.Cut(key, maxFlatPath)
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if f.codesOf(path+"."+k, text(v, "name"), v[k], depth+1) {
				continue
			}
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

// codesOf adds the status codes of an extension, each with its name, because each extension defines the meaning. It
// reports whether the value is such a list.
func (f *flatJSON) codesOf(path, program string, v any, depth int) bool {
	list, ok := v.([]any)
	if !ok || program == "" || !strings.HasSuffix(path, ".statuses") && !strings.HasSuffix(path, ".statusesSummary") {
		return false
	}
	for i, e := range list {
		at := path + "[" + strconv.Itoa(i) + "]"
		if state, ok := e.(map[string]any); ok {
			if code := text(state, "code"); strings.HasPrefix(code, "ProvisioningState/failed/") {
				f.add(at+".code", fmt.Sprintf("\"%s code\": %q", program, code))
				state = maps.Clone(state)
				delete(state, "code")
			}
			e = state
		}
		f.walk(at, "", e, depth)
	}
	return true
}

// text adds a string: as a document if it is one, otherwise line by line. It also unwraps an embedded document.
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
	line = wording.Cut(line, maxFlatLine)
	if len(f.lines) < maxFlatLines && f.size+len(line) < maxFlatSize {
		f.size += len(line)
		f.lines = append(f.lines, line)
		f.paths = append(f.paths, strings.TrimPrefix(path, "."))
	}
}

// embedded decodes the JSON document at the start of s. Text may follow it.
func embedded(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return nil, false
	}
	switch v := cloud.Tree(s).(type) {
	case map[string]any:
		return v, len(v) > 0
	case []any:
		return v, len(v) > 0
	}
	return nil, false
}

// lookup follows a path of keys.
func lookup(tree map[string]any, path string) (any, bool) {
	var v any = tree
	for k := range strings.SplitSeq(path, ".") {
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

// text returns the first string at one of the paths.
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
