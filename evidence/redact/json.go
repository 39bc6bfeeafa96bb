package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// JSON redacts the strings of a JSON text by key and content, including JSON documents inside strings. All other bytes
// stay the same. Invalid JSON is treated as a line of text.
func (r *Redactor) JSON(raw []byte) []byte { return r.json(raw, 0) }

// maxEmbedded bounds the nesting of documents inside strings.
const maxEmbedded = 6

func (r *Redactor) json(raw []byte, embedded int) []byte {
	if !json.Valid(raw) {
		return []byte(r.Text(string(raw)))
	}
	w := jsonWalk{redactor: r, raw: raw, embedded: embedded, secrets: secretObjects(raw)}
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

// jsonWalk iterates over a valid JSON text once.
type jsonWalk struct {
	redactor *Redactor
	raw      []byte
	embedded int
	pos      int
	copied   int    // raw is copied to out up to here
	out      []byte // nil while unchanged
	stack    []level
	key      string       // of the next value in the innermost object
	secrets  map[int]bool // start positions of objects that contain a secret
	value    bool         // the next string is a value
}

// level is one open object or list.
type level struct {
	object bool
	key    string // its key
	all    string // kind under which all strings inside are redacted; empty: none
	name   string // value of the name field
	secret bool   // the object has a secret under a neutral name: a Secret, or the answer of a secret store
	last   string // the previous string, in a list
}

func (w *jsonWalk) top() level {
	if len(w.stack) == 0 {
		return level{}
	}
	return w.stack[len(w.stack)-1]
}

func (w *jsonWalk) open(object bool) {
	up := w.top()
	l := level{object: object, key: w.key, all: up.all, secret: object && w.secrets[w.pos]}
	switch {
	case l.all != "":
	case object && isSecretData(w.key, up.secret):
		l.all = "secret"
	default:
		l.all = hiddenObject(w.key)
	}
	if !up.object && len(w.stack) > 0 {
		l.key = up.key
	}
	w.stack = append(w.stack, l)
	w.key, w.value = "", false
}

// isSecretData reports whether the object under the key has secrets with user-chosen names; inSecret: it is part of a
// Secret.
func isSecretData(key string, inSecret bool) bool {
	switch key {
	case "stringData", "secrets":
		return true
	case "data":
		return inSecret
	}
	return false
}

func (w *jsonWalk) endValue() {
	w.key, w.value = "", false
}

// hiddenObject returns the kind of an object that is redacted completely: the caller of an operation, and protected
// settings of a cloud.
func hiddenObject(key string) string {
	switch key {
	case "claims":
		return "claim"
	case "protectedSettings":
		return "protected-settings"
	}
	return ""
}

// string processes the string literal at pos and moves to its end.
func (w *jsonWalk) string() {
	end := endOfString(w.raw, w.pos)
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
	if kind := kindByPlace(top, key, text); kind != "" {
		return r.hide(kind, text)
	}
	if kind := kindByName(top, key, text); kind != "" {
		return r.hide(kind, text)
	}
	if w.embedded < maxEmbedded && isDocument(text) {
		return string(r.json([]byte(text), w.embedded+1))
	}
	return r.Text(text)
}

// kindByPlace returns the kind of a secret by the object that contains it; "" if it is none.
func kindByPlace(top level, key, text string) string {
	switch {
	case top.all != "" && !hidden(text):
		return top.all
	case top.secret && strings.EqualFold(key, "value") && !hidden(text):
		return "secret"
	case top.key == "data" && top.object && encodedData(text):
		return "secret"
	case jwkParts[key] && looksRandom(text, 20):
		return "private-key"
	case isEnv(top.key) && isEnvValue(key) && !hidden(text):
		return "env"
	case strings.HasSuffix(key, "last-applied-configuration"):
		return "applied-configuration"
	}
	return ""
}

// kindByName returns the kind of a secret by its name: that of its key, or of the field name next to it.
func kindByName(top level, key, text string) string {
	if n := nameOfKey(key); n != nil && !n.spares(value{0, len(text), quoted}, text) {
		return n.kind
	}
	if isName(top.name) && key == "value" && !hidden(text) { // {"name": "DB_PASSWORD", "value": "..."}
		return "env"
	}
	return ""
}

// jwkParts are the private fields of a JSON Web Key.
var jwkParts = map[string]bool{"d": true, "p": true, "q": true, "dp": true, "dq": true, "qi": true, "k": true}

// secretMarks identify an object with a secret: a Secret, an AWS parameter, an Azure secret.
var secretMarks = [][]byte{[]byte(`"Secret"`), []byte(`"SecureString"`), []byte(`.vault.azure.net/secrets/`)}

// secretObjects returns the start positions of the objects with a mark, in a valid JSON text.
func secretObjects(raw []byte) map[int]bool {
	var marks []int
	for _, mark := range secretMarks {
		for from := 0; ; {
			i := bytes.Index(raw[from:], mark)
			if i < 0 {
				break
			}
			marks = append(marks, from+i)
			from += i + len(mark)
		}
	}
	if marks == nil {
		return nil
	}
	slices.Sort(marks)
	out := map[int]bool{}
	var open []int
	for pos := 0; pos < len(raw) && len(marks) > 0; pos++ {
		switch raw[pos] {
		case '{', '[':
			open = append(open, pos)
		case '}', ']':
			open = open[:len(open)-1]
		case '"':
			end := endOfString(raw, pos)
			for len(marks) > 0 && marks[0] < end {
				if len(open) > 0 && marks[0] >= pos {
					out[open[len(open)-1]] = true
				}
				marks = marks[1:]
			}
			pos = end - 1
		}
	}
	return out
}

// endOfString returns the position after the string literal at pos.
func endOfString(raw []byte, pos int) int {
	end := pos + 1
	for raw[end] != '"' {
		if raw[end] == '\\' {
			end++
		}
		end++
	}
	return end + 1
}

// flagOfSecret reports whether an argument is a flag whose value is a secret.
func flagOfSecret(arg string) bool {
	return strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") && isName(arg)
}

func isName(name string) bool {
	n := nameOfKey(name)
	return name != "" && n != nil && !n.weak
}

func isEnv(key string) bool { return key == "env" || key == "environmentVariables" }

func isEnvValue(key string) bool { return key == "value" || key == "secureValue" }

func isDocument(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) <= 2 {
		return false
	}
	object := s[0] == '{' && s[len(s)-1] == '}'
	list := s[0] == '[' && s[len(s)-1] == ']'
	return (object || list) && json.Valid([]byte(s))
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

// literalOf writes a string as JSON without HTML escapes.
func literalOf(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
