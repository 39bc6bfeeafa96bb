package documents

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// query is one step of what --query takes from an answer (JMESPath), and what follows it. As it says where each value came from, an
// answer can be put back into the form that it had.
type query struct {
	key     string // of the object; "": no such step
	each    bool   // every item of a list
	one     bool   // one item of a list
	counted bool   // how many items the list at the key has
	members []member
	next    *query
}

// member is one of what is chosen side by side: {name:path} or [path].
type member struct {
	name string
	of   *query
}

// counted is what is put behind the key of a list of which only the number of its items was asked for: no document has such a key.
const counted = "#"

const maxQuery = 8 // steps inside of steps

var (
	azQuery   = lazyregexp.New(`--query[ =]+(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+))`)
	queryKey  = lazyregexp.New(`^(?:[A-Za-z_][A-Za-z0-9_]*|"[^"]+")`)
	queryEach = lazyregexp.New(`^\[(?:\*|\?[^\]]*|)\]`)
	queryItem = lazyregexp.New(`^(?:\| *)?\[-?\d+\]`)
	queryElse = lazyregexp.New("^ *\\|\\| *(?:`[^`]*`|[^,}\\])]*)")
)

// queried is what the command takes from the answer; asked: it takes anything. It is nil where its words are not understood.
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

// parseQuery reads steps up to the end of what it knows; nil if there is none.
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
	case s[0] == '{' || s[0] == '[':
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
	if rest := strings.TrimLeft(s, " "); strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[") || queryItem.MatchString(rest) {
		next := s
		if q.next, s = parseQuery(rest, depth+1); q.next == nil && strings.TrimSpace(s) != "" && !strings.ContainsAny(s[:1], ",}])") {
			return nil, next
		}
	}
	return q, s
}

// parseMembers reads what stands in braces or brackets.
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

// firstOf are the steps without the last, which takes one of a list.
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

// back puts a value into the tree from which the query took it.
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
			if !q.last().one { // lists in a list are one list: this is an item of it, whose neighbours are not known
				return []any{q.next.back(nil, value)}
			}
			return (&query{each: true, next: q.next.firstOf()}).back(tree, []any{value}) // one of what each item has
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

// value is what of the answer is the member's; tables write the first letter of its name in their own way, and number what has none.
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

// lists reports whether what the query leaves are items of a list.
func (q *query) lists() bool { return q != nil && (q.each || q.next.lists()) }
