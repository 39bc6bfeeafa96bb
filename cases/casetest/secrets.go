package casetest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Secret is a text that contains a generated secret.
type Secret struct {
	Name  string
	Text  string
	Parts []string // parts of the text that must not be shown
}

// Secrets generates one secret from each line of a file: NAME, a tab, and a template. The same seed gives the same secrets.
//
// A template contains {alnum 36} and other alphabets with a length, {uuid} and {say WORD} for secret parts; {b64of TEXT},
// {hexof TEXT}, {HEXOF TEXT} and {urlof TEXT}, in which | is a line break; {nl} and {nul}; and {join}, which is empty and
// breaks the prefixes that secret scanners look for.
func Secrets(t testing.TB, file string, seed uint64) []Secret {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(seed, 7))
	var out []Secret
	for line := range strings.Lines(string(data)) {
		name, text, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		tm := template{t: t, chance: chance}
		s := Secret{Name: name, Text: tm.expand(text)}
		for _, part := range tm.parts {
			if len(part) > 3 {
				s.Parts = append(s.Parts, part)
			}
		}
		out = append(out, s)
	}
	return out
}

// template expands one line of the file.
type template struct {
	t      testing.TB
	chance *rand.Rand
	parts  []string
}

func (tm *template) expand(text string) string {
	var out strings.Builder
	for text != "" {
		lo := strings.IndexByte(text, '{')
		if lo < 0 {
			break
		}
		kind, arg, length := blank(text[lo:])
		if length == 0 {
			out.WriteString(text[:lo+1])
			text = text[lo+1:]
			continue
		}
		out.WriteString(text[:lo])
		out.WriteString(tm.fill(kind, arg))
		text = text[lo+length:]
	}
	out.WriteString(text)
	return out.String()
}

// blank splits the placeholder at the start of a text into its kind and argument. Length 0 means that the brace is part of the
// text.
func blank(text string) (kind, arg string, length int) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			kind, arg, _ = strings.Cut(text[1:i], " ")
			if blanks[kind] || letters[kind] != "" {
				return kind, arg, i + 1
			}
			return "", "", 0
		}
	}
	return "", "", 0
}

var blanks = map[string]bool{"join": true, "nl": true, "nul": true, "uuid": true, "say": true, "b64of": true, "hexof": true, "HEXOF": true, "urlof": true}

var letters = map[string]string{
	"alnum": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "mixed": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"lower": "abcdefghijklmnopqrstuvwxyz0123456789", "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "hex": "0123456789abcdef", "hexupper": "0123456789ABCDEF",
	"digits": "123456789", "b64": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "b64url": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
}

func (tm *template) fill(kind, arg string) string {
	switch kind {
	case "join":
		return ""
	case "nl":
		return "\n"
	case "nul":
		return "\x00"
	case "say":
		return tm.secret(arg)
	case "uuid":
		b := make([]byte, 16)
		for i := range b {
			b[i] = byte(tm.chance.Uint32())
		}
		h := hex.EncodeToString(b)
		return tm.secret(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
	case "b64of", "hexof", "HEXOF", "urlof":
		return tm.encoded(kind, arg)
	}
	n, err := strconv.Atoi(arg)
	if err != nil {
		tm.t.Fatalf("{%s %s} makes nothing", kind, arg)
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = letters[kind][tm.chance.IntN(len(letters[kind]))]
	}
	// Some of each character class: a token without a digit does not look like a token.
	if n > 3 && slices.Contains([]string{"alnum", "mixed", "b64", "b64url", "lower"}, kind) {
		out[n/2], out[n/3] = '7', 'q'
	}
	return tm.secret(string(out))
}

// encoded returns the argument in another encoding. The placeholders in it are secret, or all of it if it has none.
func (tm *template) encoded(kind, arg string) string {
	before := len(tm.parts)
	text := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(arg, `\|`, "\x01"), "|", "\n"), "\x01", "|")
	text = tm.expand(text)
	switch kind {
	case "b64of":
		text = base64.StdEncoding.EncodeToString([]byte(text))
	case "hexof":
		text = hex.EncodeToString([]byte(text))
	case "HEXOF":
		text = strings.ToUpper(hex.EncodeToString([]byte(text)))
	default:
		text = url.QueryEscape(text)
	}
	if len(tm.parts) == before {
		return tm.secret(text)
	}
	return text
}

func (tm *template) secret(part string) string {
	tm.parts = append(tm.parts, part)
	return part
}

// Shown lists the parts of the secret that are in the text: unchanged, a half of at least 8 characters, or encoded as JSON,
// URL, base64 or hexadecimal digits.
func (s Secret) Shown(text string) []string {
	var out []string
	for _, p := range s.Parts {
		for _, form := range formsOf(p) {
			if strings.Contains(text, form) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// ShownIn lists the names of the secrets that are in the text, like Shown, for many secrets and a long text.
func ShownIn(text string, secrets []Secret) []string {
	byStart := map[string][]int{} // indexes of secrets by the start of a form
	out := map[string]bool{}
	for i, s := range secrets {
		for _, p := range s.Parts {
			for _, form := range formsOf(p) {
				if len(form) >= shortestForm {
					byStart[form[:shortestForm]] = append(byStart[form[:shortestForm]], i)
				} else if strings.Contains(text, form) {
					out[s.Name] = true
				}
			}
		}
	}
	for at := 0; at+shortestForm <= len(text); at++ {
		for _, i := range byStart[text[at:at+shortestForm]] {
			if s := secrets[i]; !out[s.Name] && s.Shown(text[at:min(len(text), at+longestForm)]) != nil {
				out[s.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}

const longestForm = 4000 // bytes

// shortestForm is the minimal length of a searched form other than the part itself. Shorter texts occur by chance.
const shortestForm = 8

func formsOf(part string) []string {
	out := []string{part, url.QueryEscape(part), strings.Trim(quoted(part), `"`)}
	if n := len(part); n/2 >= shortestForm {
		out = append(out, part[:n/2], part[n-n/2:])
	}
	if len(part) < shortestForm {
		return out
	}
	digits := hex.EncodeToString([]byte(part))
	out = append(out, digits, strings.ToUpper(digits))
	for shift := range 3 { // without the letters that it shares with adjacent bytes
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), part...))
		out = append(out, text[(shift*8+5)/6:(shift+len(part))*8/6])
	}
	return out
}

func quoted(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
