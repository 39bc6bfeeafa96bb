package kubelets

import (
	"strconv"
	"strings"
)

// sample is one line of the Prometheus text format.
type sample struct {
	name   string
	labels []label
	value  float64
}

type label struct{ name, value string }

// parseSample parses a line of the Prometheus text exposition format: name{label="value",...} value [time]. It returns false for
// comments and invalid lines.
func parseSample(line string) (sample, bool) {
	var s sample
	line = strings.TrimSpace(line)
	end := strings.IndexAny(line, "{ \t")
	if end <= 0 || line[0] == '#' {
		return s, false
	}
	s.name = line[:end]
	rest := line[end:]
	if rest[0] == '{' {
		var ok bool
		if s.labels, rest, ok = parseLabels(rest[1:]); !ok {
			return s, false
		}
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 || len(fields) > 2 {
		return s, false
	}
	var err error
	s.value, err = strconv.ParseFloat(fields[0], 64)
	return s, err == nil
}

// parseLabels parses up to the closing brace and returns the rest.
func parseLabels(text string) (list []label, rest string, ok bool) {
	for {
		text = strings.TrimLeft(text, " \t,")
		if strings.HasPrefix(text, "}") {
			return list, text[1:], true
		}
		name, after, found := strings.Cut(text, "=")
		after = strings.TrimLeft(after, " \t")
		if !found || name == "" || !strings.HasPrefix(after, `"`) {
			return nil, "", false
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			return nil, "", false
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, "", false
		}
		list = append(list, label{strings.TrimSpace(name), value})
		text = after[len(quoted):]
	}
}
