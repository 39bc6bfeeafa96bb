package documents

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// query is one step of a --query expression (JMESPath) and the following steps. The steps show the source of each
// value, so the original form of an answer can be restored.
type query struct {
	key     string // object key; "": no such step
	each    bool   // every list item
	one     bool   // one list item
	counted bool   // the length of the list at the key
	members []member
	next    *query
}

// member is an element of a multiselect: {name:path} or [path].
type member struct {
	name string
	of   *query
}

// counted is the artificial key for the length of a list.
const counted = "#"

const maxQuery = 8 // nesting of steps

var (
	azQuery   = lazyregexp.New(`--query[ =]+(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+))`)
	queryKey  = lazyregexp.New(`^(?:[A-Za-z_][A-Za-z0-9_]*|"[^"]+")`)
	queryEach = lazyregexp.New(`^\[(?:\*|\?[^\]]*|)\]`)
	queryItem = lazyregexp.New(`^(?:\| *)?\[-?\d+\]`)
	queryElse = lazyregexp.New("^ *\\|\\| *(?:`[^`]*`|[^,}\\])]*)")
)

// queried returns the query of the command, or nil if it is not supported. asked: the command has a query.
func queried(command string) (q *query, asked bool) {
	m := azQuery.FindStringSubmatch(command)
	if m == nil {
		return nil, strings.Contains(command, "--query")
	}
	text := cmp.Or(m[1], strings.ReplaceAll(m[2], `\`, ""), m[3])
	q, rest := parseQuery(strings.TrimLeft(text, "@."), 0)
	if strings.TrimSpace(rest) != "" {
		return nil, true
	}
	return q, true
}

// parseQuery parses the supported steps; nil if there is none.
func parseQuery(s string, depth int) (*query, string) {
	s = strings.TrimLeft(s, " .")
	if depth > maxQuery || s == "" {
		return nil, s
	}
	q := &query{}
	switch {
	case queryEach.MatchString(s):
		s = s[len(queryEach.FindString(s)):]
		if first := strings.TrimLeft(s, " "); queryItem.MatchString(first) {
			return parseQuery(first, depth+1)
		}
		q.each = true
	case queryItem.MatchString(s):
		q.one, s = true, s[len(queryItem.FindString(s)):]
	case strings.HasPrefix(s, "length("):
		if q, s = parseQuery(s[len("length("):], depth+1); q == nil {
			return nil, s
		}
		s = strings.TrimLeft(s, " ")
		q.last().counted = true
		return q, strings.TrimPrefix(s, ")")
	case s[0] == '{', s[0] == '[':
		if q.members, s = parseMembers(s, depth); q.members == nil {
			return nil, s
		}
		return q, s
	default:
		key := queryKey.FindString(s)
		if key == "" {
			return nil, s
		}
		q.key, s = strings.Trim(key, `"`), s[len(key):]
	}
	s = s[len(queryElse.FindString(s)):]
	if rest := strings.TrimLeft(s, " "); hasNextStep(rest) {
		next := s
		if q.next, s = parseQuery(rest, depth+1); q.next == nil && strings.TrimSpace(s) != "" && !strings.ContainsAny(s[:1], ",}])") {
			return nil, next
		}
	}
	return q, s
}

func hasNextStep(rest string) bool {
	return strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[") || queryItem.MatchString(rest)
}

// parseMembers parses a multiselect in braces or brackets.
func parseMembers(s string, depth int) (out []member, rest string) {
	named, end := s[0] == '{', byte(']')
	if named {
		end = '}'
	}
	for s = s[1:]; ; {
		s = strings.TrimLeft(s, " ,")
		if s == "" {
			return nil, s
		}
		if s[0] == end {
			return out, s[1:]
		}
		m := member{}
		if named {
			m.name = queryKey.FindString(s)
			colon := strings.TrimLeft(s[len(m.name):], " ")
			if m.name == "" || !strings.HasPrefix(colon, ":") {
				return nil, s
			}
			m.name, s = strings.Trim(m.name, `"`), colon[1:]
		}
		before := len(s)
		if m.of, s = parseQuery(s, depth+1); m.of == nil || len(s) == before {
			return nil, s
		}
		out = append(out, m)
	}
}

// firstOf returns the steps without the last, which selects a list item.
func (q *query) firstOf() *query {
	if q == nil || q.one && q.next == nil {
		return nil
	}
	step := *q
	step.next = q.next.firstOf()
	return &step
}

func (q *query) last() *query {
	for q.next != nil {
		q = q.next
	}
	return q
}

// back inserts a value into the tree at the place from which the query selected it.
func (q *query) back(tree, value any) any {
	switch {
	case q == nil:
		return value
	case value == nil:
		return tree
	case q.one:
		return []any{q.next.back(nil, value)}
	case q.each:
		was, _ := tree.([]any)
		values, ok := value.([]any)
		if !ok {
			if q.next == nil {
				return tree
			}
			if !q.last().one { // nested lists are flattened: this is an item whose siblings are unknown
				return []any{q.next.back(nil, value)}
			}
			return (&query{each: true, next: q.next.firstOf()}).back(tree, []any{value}) // one value per item
		}
		out := make([]any, len(values))
		for i, v := range values {
			if i < len(was) {
				out[i] = was[i]
			}
			out[i] = q.next.back(out[i], v)
		}
		return out
	case q.members != nil:
		for i, m := range q.members {
			tree = m.of.back(tree, m.value(value, i))
		}
		return tree
	}
	out, ok := tree.(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	if q.counted {
		out[q.key+counted] = value
		return out
	}
	out[q.key] = q.next.back(out[q.key], value)
	return out
}

// value returns the value of the member. Tables capitalise its name, and number unnamed members.
func (m member) value(answer any, i int) any {
	switch answer := answer.(type) {
	case map[string]any:
		for key, v := range answer {
			if strings.EqualFold(key, cmp.Or(m.name, "column"+strconv.Itoa(i+1))) {
				return v
			}
		}
	case []any:
		if m.name == "" && i < len(answer) {
			return answer[i]
		}
	}
	return nil
}

// lists reports whether the query returns list items.
func (q *query) lists() bool { return q != nil && (q.each || q.next.lists()) }
