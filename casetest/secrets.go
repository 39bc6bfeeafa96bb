package casetest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Secret is a text that holds a secret, made for a test.
type Secret struct {
	Name  string
	Text  string
	Parts []string // of the text that must not come out
}

// Secrets makes one secret of every line of a file: NAME, a tab, and the text with {alnum 36} and the like in place of what is
// secret. The same seed makes the same secrets.
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
		s := Secret{Name: name}
		s.Text = blank.ReplaceAllStringFunc(text, func(b string) string {
			kind, arg, _ := strings.Cut(b[1:len(b)-1], " ")
			part := fill(t, chance, kind, arg)
			if part != "" && len(part) > 3 {
				s.Parts = append(s.Parts, part)
			}
			return part
		})
		out = append(out, s)
	}
	return out
}

var blank = regexp.MustCompile(`\{(?:join|uuid|(?:alnum|lower|upper|hex|hexupper|digits|b64|b64url|mixed) \d+|say [^}]+|b64of (?:[^{}]|\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}[^{}]*)?\})+)\}`)

var letters = map[string]string{
	"alnum": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "mixed": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"lower": "abcdefghijklmnopqrstuvwxyz0123456789", "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "hex": "0123456789abcdef", "hexupper": "0123456789ABCDEF",
	"digits": "123456789", "b64": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "b64url": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
}

func fill(t testing.TB, chance *rand.Rand, kind, arg string) string {
	switch kind {
	case "join":
		return ""
	case "say":
		return arg
	case "b64of":
		return base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(arg, "|", "\n")))
	case "uuid":
		b := make([]byte, 16)
		for i := range b {
			b[i] = byte(chance.Uint32())
		}
		h := hex.EncodeToString(b)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	n, err := strconv.Atoi(arg)
	if err != nil || letters[kind] == "" {
		t.Fatalf("{%s %s} makes nothing", kind, arg)
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = letters[kind][chance.IntN(len(letters[kind]))]
	}
	// Some of each class, wherever there are classes: a token without a digit is no token.
	if n > 3 && (kind == "alnum" || kind == "mixed" || kind == "b64" || kind == "b64url" || kind == "lower") {
		out[n/2], out[n/3] = '7', 'q'
	}
	return string(out)
}

// Position is a place in which a text may stand.
type Position struct {
	Name string
	Put  func(text string) string
}

// Positions are the places in which secrets stand in evidence.
var Positions = []Position{
	{"start of a line", func(s string) string { return s }},
	{"klog", func(s string) string { return "I0602 00:30:01.123456    1234 server.go:466] " + s }},
	{"klog, quoted", func(s string) string {
		return `E0602 00:30:01.123456    1234 pod_workers.go:1301] "Error syncing pod, skipping" err=` + strconv.Quote("failed with "+s) + ` pod="default/web-0"`
	}},
	{"journald", func(s string) string { return "Jun 02 00:30:01 worker-1 app[1234]: " + s }},
	{"JSON of a container", func(s string) string { return quoted(map[string]string{"log": s + "\n", "stream": "stderr"}) }},
	{"JSON in JSON", func(s string) string {
		return quoted(map[string]string{"level": "info", "msg": "got " + quoted(map[string]string{"body": s})})
	}},
	{"YAML", func(s string) string { return "    message: " + s }},
	{"YAML list", func(s string) string { return "  - " + s }},
	{"URL", func(s string) string {
		return "GET https://10.0.0.1:8443/hook?verbose=true&note=" + url.QueryEscape(s) + "&x=1 HTTP/1.1"
	}},
	{"command line", func(s string) string { return "root  1234  0.0  /bin/sh -c " + s }},
	{"describe", func(s string) string { return "      Message:      " + s }},
	{"events", func(s string) string { return "5m12s   Warning   Failed   pod/web-0   Error: " + s }},
}

func quoted(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(b)
}

// Shown are the parts of the secret that stand in the text, as they are or in the form of URLs or JSON.
func (s Secret) Shown(text string) []string {
	var out []string
	for _, p := range s.Parts {
		inJSON := strings.Trim(quoted(p), `"`)
		if strings.Contains(text, p) || strings.Contains(text, url.QueryEscape(p)) || strings.Contains(text, inJSON) {
			out = append(out, p)
		}
	}
	return out
}
