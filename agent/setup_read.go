package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// values are settings by name. Parsers skip lines that they do not know, and return an error if nothing is valid.
type values map[string]string

// Bounds for nested files.
const (
	maxDepth  = 20
	maxLinked = 60 // lines of a continued value
)

// nested parses YAML or JSON. Each value has its path as the name, and a list of scalars is one value.
func nested(text string) (values, error) {
	var whole any
	if err := yaml.Unmarshal([]byte(text), &whole); err != nil {
		return nil, err
	}
	out := values{}
	out.flatten("", whole, 0)
	return out, nil
}

func (v values) flatten(name string, what any, depth int) {
	if depth > maxDepth || len(v) > 4*maxSettings {
		return
	}
	join := func(key string) string { return strings.TrimPrefix(name+"."+key, ".") }
	switch what := what.(type) {
	case nil:
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(what)) {
			v.flatten(join(k), what[k], depth+1)
		}
	case []any:
		var plain []string
		for i, e := range what {
			switch e.(type) {
			case map[string]any, []any:
				v.flatten(fmt.Sprintf("%s[%d]", name, i), e, depth+1)
			default:
				plain = append(plain, fmt.Sprint(e))
			}
		}
		if len(plain) > 0 {
			v[name] = strings.Join(plain, ", ")
		}
	default:
		v[name] = fmt.Sprint(what)
	}
}

// tomlTables parses the TOML of runtimes: tables and lines NAME = VALUE, including multi-line lists.
func tomlTables(text string) (values, error) {
	out := values{}
	table, lines := "", strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") && !strings.Contains(line, "=") {
			head, _, _ := strings.Cut(line, "#")
			table = unquoted(strings.Trim(strings.TrimSpace(head), "[]")) + "."
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if name = unquoted(strings.TrimSpace(name)); !ok || name == "" || name[0] == '#' {
			continue
		}
		value = strings.TrimSpace(value)
		if mark := value[:min(3, len(value))]; mark == `"""` || mark == "'''" { // multi-line strings do not occur here
			for i++; i < len(lines) && !strings.Contains(lines[i], mark); i++ {
			}
			continue
		}
		for n := 0; strings.HasPrefix(value, "[") && !closed(value) && n < maxLinked && i+1 < len(lines); n++ {
			i++
			value = strings.TrimSpace(uncommented(value) + " " + strings.TrimSpace(lines[i]))
		}
		out[table+name] = plainValue(uncommented(value))
	}
	return out, nil
}

func closed(list string) bool {
	list = uncommented(list)
	return strings.Count(list, "[") <= strings.Count(list, "]")
}

// uncommented removes a # comment outside of quotes.
func uncommented(s string) string {
	quote := rune(0)
	for i, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return strings.TrimSpace(s[:i])
		}
	}
	return strings.TrimSpace(s)
}

func unquoted(s string) string { return strings.NewReplacer(`"`, "", "'", "").Replace(s) }

// plainValue returns a text without quotes, and a list in the format of nested.
func plainValue(s string) string {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		s = strings.Trim(strings.TrimSuffix(inner, "]"), " ,")
	}
	return unquoted(s)
}

// additive are unit directives whose lines add up.
var additive = []string{
	"Exec", "Environment", "After", "Before", "Wants", "Requires", "BindsTo", "PartOf", "Conflicts", "Condition", "Assert", "WantedBy", "RequiredBy", "Alias",
}

// sections parses systemd files (systemd.syntax(7)): SECTION.DIRECTIVE, and each variable of Environment separately.
func sections(text string) (values, error) {
	out := values{}
	section := ""
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]") + "."
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "Description" || name == "Documentation" {
			continue
		}
		if name == "Environment" {
			for _, pair := range words(value) {
				variable, v, _ := strings.Cut(pair, "=")
				out[section+"Environment "+variable] = v
			}
			continue
		}
		name = section + name
		before, again := out[name]
		adds := slices.ContainsFunc(additive, func(l string) bool { return strings.HasPrefix(name, section+l) })
		if again && adds && before != "" && value != "" {
			value = before + " | " + value
		}
		out[name] = value
	}
	return out, nil
}

// words splits a line at spaces outside of quotes.
func words(line string) []string {
	var out []string
	var word strings.Builder
	quote := rune(0)
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
		}
		word.Reset()
	}
	for _, c := range line {
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && (c == ' ' || c == '\t'):
			flush()
		default:
			word.WriteRune(c)
		}
	}
	flush()
	return out
}

// variables parses NAME=VALUE. A value with flags is split into flags.
func variables(text string) (values, error) {
	out := values{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		name = strings.TrimSpace(strings.TrimPrefix(name, "export "))
		if !ok || name == "" || name[0] == '#' || name[0] == ';' {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if !strings.HasPrefix(value, "-") {
			out[name] = value
			continue
		}
		for flag, v := range flagsOf(words(value)) {
			out["--"+flag] = v
		}
	}
	return out, nil
}

// lines parses files whose lines begin with a name. Lines with the same name become one value, in order. names is the
// number of words in the name.
func lines(names int) func(string) (values, error) {
	return func(text string) (values, error) {
		out := values{}
		for line := range strings.Lines(text) {
			f := strings.Fields(uncommented(strings.TrimSpace(line)))
			if len(f) == 0 || f[0][0] == ';' || f[0][0] == '!' {
				continue
			}
			n := min(names, len(f))
			name, value := strings.Join(f[:n], " "), strings.Join(f[n:], " ")
			if value == "" {
				value = "yes"
			}
			if before, again := out[name]; again && before != "" {
				value = before + ", " + value
			}
			out[name] = value
		}
		return out, nil
	}
}

// kernelSettings parses sysctl.conf(5).
func kernelSettings(text string) (values, error) {
	out := values{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		name = strings.ReplaceAll(strings.Trim(name, "- \t"), "/", ".")
		if ok && name != "" && name[0] != '#' && name[0] != ';' {
			out[name] = strings.Join(strings.Fields(value), " ")
		}
	}
	return out, nil
}

// hostNames parses hosts(5): the addresses of each name.
func hostNames(text string) (values, error) {
	out := values{}
	for line := range strings.Lines(text) {
		f := strings.Fields(uncommented(strings.TrimSpace(line)))
		for i, name := range f {
			if i > 0 {
				out[name] = strings.TrimPrefix(out[name]+", "+f[0], ", ")
			}
		}
	}
	return out, nil
}

// mountTable parses fstab(5) by mount point. Entries without one, such as swap, have their type as the name.
func mountTable(text string) (values, error) {
	out := values{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || f[0][0] == '#' {
			continue
		}
		place := f[1]
		if !strings.HasPrefix(place, "/") {
			place = f[2]
		}
		out[place] = f[0] + " " + f[2] + " " + f[3]
	}
	return out, nil
}
