package redact

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON replaces the secrets in the strings of a JSON text, by the key they stand under and by their content.
// JSON documents inside strings are looked into. Everything but the replaced strings stays byte for byte. What
// is no valid JSON is treated as a line of text.
func (r *Redactor) JSON(raw []byte) []byte { return r.json(raw, 0) }

// maxEmbedded bounds documents inside strings inside documents.
const maxEmbedded = 6

func (r *Redactor) json(raw []byte, embedded int) []byte {
	if !json.Valid(raw) {
		return []byte(r.Text(string(raw)))
	}
	w := jsonWalk{redactor: r, raw: raw, embedded: embedded}
	for w.pos < len(raw) {
		switch raw[w.pos] {
		case '{', '[':
			w.open(raw[w.pos] == '{')
		case '}', ']':
			w.stack = w.stack[:len(w.stack)-1]
			w.endValue()
		case ',':
			w.endValue()
		case '"':
			w.string()
			continue
		}
		w.pos++
	}
	if w.out == nil {
		return raw
	}
	return append(w.out, raw[w.copied:]...)
}

// jsonWalk goes over a valid JSON text once.
type jsonWalk struct {
	redactor *Redactor
	raw      []byte
	embedded int
	pos      int
	copied   int    // up to here raw is in out
	out      []byte // nil while nothing changed
	stack    []level
	key      string // of the value that comes next in the innermost object
	value    bool   // the next string is a value
}

// level is one open object or list.
type level struct {
	object bool
	key    string // under which it stands
	all    string // kind under which all strings inside are hidden; empty: none
	name   string // what the object says its name is
	last   string // the text before, in a list
}

func (w *jsonWalk) top() level {
	if len(w.stack) == 0 {
		return level{}
	}
	return w.stack[len(w.stack)-1]
}

func (w *jsonWalk) open(object bool) {
	l := level{object: object, key: w.key, all: w.top().all}
	if l.all == "" {
		l.all = hiddenObject(w.key)
	}
	if up := w.top(); !up.object && len(w.stack) > 0 {
		l.key = up.key
	}
	w.stack = append(w.stack, l)
	w.key, w.value = "", false
}

func (w *jsonWalk) endValue() {
	w.key, w.value = "", false
}

// hiddenObject names what is hidden whole: who asked for an operation, and settings that a cloud encrypts.
func hiddenObject(key string) string {
	switch key {
	case "claims":
		return "claim"
	case "protectedSettings":
		return "protected-settings"
	}
	return ""
}

// string handles the string literal at pos and moves behind it.
func (w *jsonWalk) string() {
	end := w.pos + 1
	for w.raw[end] != '"' {
		if w.raw[end] == '\\' {
			end++
		}
		end++
	}
	end++
	literal := w.raw[w.pos:end]
	at := w.pos
	w.pos = end
	if top := w.top(); top.object && !w.value {
		w.key, w.value = plain(literal), true
		return
	}
	if len(literal) <= 2 {
		return
	}
	text := plain(literal)
	if w.key == "name" && len(w.stack) > 0 && w.top().object {
		w.stack[len(w.stack)-1].name = text
	}
	hidden := w.hide(text)
	if n := len(w.stack); n > 0 && !w.stack[n-1].object {
		if flagOfSecret(w.stack[n-1].last) && !placeholder(text) && text[0] != '-' {
			hidden = w.redactor.hide("password", text)
		}
		w.stack[n-1].last = text
	}
	if hidden != text {
		w.out = append(w.out, w.raw[w.copied:at]...)
		w.out = append(w.out, literalOf(hidden)...)
		w.copied = end
	}
}

func (w *jsonWalk) hide(text string) string {
	r, top := w.redactor, w.top()
	key := w.key
	if !top.object {
		key = top.key
	}
	switch {
	case top.all != "" && !hidden(text):
		return r.hide(top.all, text)
	case isEnv(top.key) && (key == "value" || key == "secureValue") && !hidden(text):
		return r.hide("env", text)
	case strings.HasSuffix(key, "last-applied-configuration"):
		return r.hide("applied-configuration", text)
	}
	if n := nameOfKey(key); n != nil && !n.spares(value{0, len(text), quoted}, text) {
		return r.hide(n.kind, text)
	}
	if isName(top.name) && key == "value" && !hidden(text) { // {"name": "DB_PASSWORD", "value": "..."}
		return r.hide("env", text)
	}
	if w.embedded < maxEmbedded && isDocument(text) {
		return string(r.json([]byte(text), w.embedded+1))
	}
	return r.Text(text)
}

// flagOfSecret reports whether an argument of a command is a flag behind which a secret stands.
func flagOfSecret(arg string) bool {
	return strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") && isName(arg)
}

func isName(name string) bool {
	n := nameOfKey(name)
	return name != "" && n != nil && !n.weak
}

func isEnv(key string) bool { return key == "env" || key == "environmentVariables" }

func isDocument(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 2 && (s[0] == '{' && s[len(s)-1] == '}' || s[0] == '[' && s[len(s)-1] == ']') && json.Valid([]byte(s))
}

func plain(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	if json.Unmarshal(literal, &s) != nil {
		return ""
	}
	return s
}

// literalOf writes a string as JSON, without the escapes that only HTML needs.
func literalOf(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
