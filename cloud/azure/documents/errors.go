package documents

import (
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

const maxCloudErrors = 50 // per document

// Formats of nested error texts: the sentence of AKS, the errors of Azure's Go clients, and truncated JSON.
var (
	subCode    = lazyregexp.New(`(?i)SubCode:\s*([A-Za-z0-9_]+)`)
	innerCode  = lazyregexp.New(`(?i)\bCode=\\*["']([A-Za-z0-9_.\-]+)\\*["'](?:\s+Message=\\*["']([^"\\]*))?`)
	codeBefore = lazyregexp.New(`^([A-Z][A-Za-z]{3,60}): `)
	cutCode    = lazyregexp.New(`(?i)\\*"code\\*"\s*:\s*\\*"([A-Za-z][A-Za-z0-9_.\-]*)\\*"(?:\s*,\s*\\*"message\\*"\s*:\s*\\*"([^"\\]*))?`)
)

// cloudErrors returns every error code in the tree with its message, the outermost first. It unwraps messages that
// contain documents or error texts.
func cloudErrors(tree any) []evidence.CloudError {
	u := &unwinder{seen: map[evidence.CloudError]bool{}}
	u.visit(tree, 0)
	return u.errors
}

type unwinder struct {
	errors []evidence.CloudError
	seen   map[evidence.CloudError]bool
}

func (u *unwinder) visit(v any, depth int) {
	if depth > maxFlatDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if code := text(v, "code", "Code"); isError(v, code) {
			u.add(code, text(v, "message", "Message"), text(v, "target", "Target"))
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if inner, ok := v[k].(map[string]any); ok && ofError(k) && len(inner) == 1 { // the result is complete
				u.part(text(inner, "code", "Code"), text(inner, "message", "Message"))
			}
			u.visit(v[k], depth+1)
		}
	case []any:
		for _, e := range v {
			u.visit(e, depth+1)
		}
	case string:
		u.words(v, depth)
	}
}

// words unwraps a text: the document that it is or contains, or the errors in its text.
func (u *unwinder) words(s string, depth int) {
	at := strings.IndexAny(s, "{[")
	if at >= 0 {
		if inner, ok := embedded(s[at:]); ok {
			u.visit(inner, depth+1)
		} else {
			u.find(cutCode, s)
		}
	}
	u.find(subCode, s)
	u.find(innerCode, s)
}

func (u *unwinder) find(re *lazyregexp.Regexp, s string) {
	for _, m := range re.FindAllStringSubmatch(wording.Cut(s, maxCloud), maxCloudErrors) {
		message := ""
		if len(m) > 2 {
			message = m[2]
		}
		u.add(m[1], message, "")
	}
}

func (u *unwinder) add(code, message, target string) {
	if code == "" {
		return
	}
	e := evidence.CloudError{Code: wording.Cut(code, maxName), Message: wording.Cut(message, maxEvidence), Target: wording.Cut(target, maxName)}
	if len(u.errors) >= maxCloudErrors || u.seen[e] || message == "" && slices.ContainsFunc(u.errors, func(o evidence.CloudError) bool { return o.Code == e.Code }) {
		return
	}
	u.seen[e] = true
	u.errors = append(u.errors, e)
}

// part adds an error with only a code, or only a message that starts with a code.
func (u *unwinder) part(code, message string) {
	if m := codeBefore.FindStringSubmatch(message); m != nil {
		code = m[1]
	}
	u.add(code, message, "")
}

// ofError reports whether a field with this name contains an error.
func ofError(name string) bool {
	return strings.EqualFold(name, "provisioningError") || strings.EqualFold(name, "error")
}

// isError distinguishes an error code from other codes, such as machine states and power states.
func isError(v map[string]any, code string) bool {
	switch lower := strings.ToLower(code); {
	case code == "" || strings.HasPrefix(lower, "powerstate/") || strings.HasPrefix(lower, "healthstate/"):
		return false
	case strings.HasPrefix(lower, "provisioningstate/"):
		return strings.HasPrefix(lower, "provisioningstate/failed") || strings.HasPrefix(lower, "provisioningstate/unavailable")
	case strings.HasPrefix(lower, "componentstatus/"):
		return false
	}
	// A power state is an object with only a code.
	return text(v, "message", "Message", "target") != "" || v["message"] != nil || v["details"] != nil || v["Message"] != nil
}
