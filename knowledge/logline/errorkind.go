package logline

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// Kind is the kind of error in a line, from a small fixed vocabulary. Empty means unknown.
type Kind string

// pattern matches the lines of a kind.
type pattern struct {
	kind Kind
	re   *prefilter.Regexp
}

// kinds are tried in this order, the most specific first. "no space left on device" has many meanings, and the operation before
// it decides.
var kinds = []pattern{
	{"inotify-limit", prefilter.MustCompile(`(?i)inotify.{0,80}(?:no space left|too many open files)|(?:no space left|too many open files).{0,60}inotify|failed to create fsnotify watcher`)},
	{"mount-limit", prefilter.MustCompile(`(?i)\bmount\b.{0,160}no space left on device`)},
	{"device-limit", prefilter.MustCompile(`(?i)(?:cgroup|mkdir /sys/fs).{0,160}no space left on device`)},
	{"inodes", prefilter.MustCompile(`(?i)\binodes?\b.{0,60}(?:exhaust|full|no space|free=0)`)},
	{"no-space", prefilter.MustCompile(`(?i)no space left on device|\bENOSPC\b|disk quota exceeded`)},
	{"read-only", prefilter.MustCompile(`(?i)read-only file ?system|\bEROFS\b`)},
	{"io-error", prefilter.MustCompile(`(?i)input/output error|\bI/O error\b|\bEIO\b|structure needs cleaning`)},
	{"certificate", prefilter.MustCompile(`(?i)x509:|tls: |certificate (?:has expired|verify failed|signed by unknown)|bad certificate`)},
	{"unauthorized", prefilter.MustCompile(`(?i)\bunauthorized\b|\b401\b|Unauthenticated`)},
	{"forbidden", prefilter.MustCompile(`(?i)\bforbidden\b|\b403\b|PermissionDenied|AccessDenied|AuthorizationFailed`)},
	{"permission", prefilter.MustCompile(`(?i)permission denied|operation not permitted|\bEPERM\b|\bEACCES\b`)},
	{"name-resolution", prefilter.MustCompile(`(?i)no such host|server misbehaving|could not resolve|temporary failure in name resolution|lookup \S+ .{0,60}(?:i/o timeout|refused)|lookup \S+ Try again|\b(?:SERVFAIL|NXDOMAIN)\b`)},
	{"refused", prefilter.MustCompile(`(?i)connection refused|ECONNREFUSED`)},
	{"no-route", prefilter.MustCompile(`(?i)no route to host|network is unreachable|host is unreachable|EHOSTUNREACH`)},
	{"reset", prefilter.MustCompile(`(?i)connection reset|broken pipe|use of closed network connection|unexpected EOF|transport is closing`)},
	{"timeout", prefilter.MustCompile(`(?i)deadline ?exceeded|i/o timeout|timed? ?out|context canceled|TLS handshake timeout`)},
	{"no-memory", prefilter.MustCompile(`(?i)cannot allocate memory|out of memory|oom-?kill(?:ed|er|ing)?\b|\bENOMEM\b`)},
	{"no-tasks", prefilter.MustCompile(`(?i)resource temporarily unavailable|failed to create new OS thread|fork.{0,30}(?:rejected|failed)`)},
	{"too-many", prefilter.MustCompile(`(?i)too many (?:open files|requests|levels)|\bEMFILE\b|\bENFILE\b|\b429\b`)},
	{"unknown-option", prefilter.MustCompile(`(?i)unknown (?:flag|shorthand flag|field|option|command|key)|unrecognized (?:option|feature gate|arguments?)|flag provided but not defined|unmarshal|cannot parse|failed to parse|yaml: |invalid character|invalid argument \\?"[^"]{0,80}" for `)},
	{"invalid-argument", prefilter.MustCompile(`(?i)\binvalid argument\b|\bEINVAL\b`)}, // of a system call
	{"invalid", prefilter.MustCompile(`(?i)\binvalid\b|not valid|must be|malformed`)},
	{"not-found", prefilter.MustCompile(`(?i)no such (?:file|device|process|unit|container)|not found|does not exist|\bENOENT\b|\b404\b|executable file not found|cannot find`)},
	{"exists", prefilter.MustCompile(`(?i)already (?:exists|in use|running|mounted|allocated)|address already in use|device or resource busy|\bEBUSY\b|\b409\b`)},
	{"not-supported", prefilter.MustCompile(`(?i)not supported|unsupported|not implemented|function not implemented|unknown service|Unimplemented|exec format error`)},
	{"unavailable", prefilter.MustCompile(`(?i)\bunavailable\b|\b503\b|not ready|not initialized|connection error`)},
	{"signal", prefilter.MustCompile(`(?i)signal: |SIGSEGV|SIGKILL|code=killed|segfault|core dumped|nil pointer dereference`)},
}

// KindOf returns the kind of error in a line.
func KindOf(line string) Kind {
	text := prefilter.NewText(line[:min(len(line), 2000)])
	for _, k := range kinds {
		if k.re.Match(text) {
			return k.kind
		}
	}
	return ""
}

// details divide kinds into errors with different fixes.
var details = map[Kind][]pattern{
	"certificate": {
		{"not-yet-valid", prefilter.MustCompile(`(?i)current time \S+ is before|certificate is not yet valid`)},
		{"expired", prefilter.MustCompile(`(?i)certificate (?:has )?expired|expired certificate`)},
		{"unknown-authority", prefilter.MustCompile(`(?i)signed by unknown authority|unable to get local issuer|self[- ]signed certificate|unknown certificate authority|certificate verify failed|is not trusted`)},
		{"wrong-name", prefilter.MustCompile(`(?i)certificate is (?:not )?valid for|cannot validate certificate for|contain any IP SANs|does not match (?:target host|certificate)|common name field`)},
	},
	"name-resolution": {
		{"name-not-found", prefilter.MustCompile(`(?i)no such host|\bNXDOMAIN\b`)},
		{"dns-refused", prefilter.MustCompile(`(?i)lookup \S+ .{0,60}refused`)},
		{"dns-silent", prefilter.MustCompile(`(?i)lookup \S+ .{0,60}i/o timeout|temporary failure in name resolution|lookup \S+ Try again`)},
		{"dns-error", prefilter.MustCompile(`(?i)server misbehaving|\bSERVFAIL\b`)},
	},
	"too-many": {
		{"rate-limit", prefilter.MustCompile(`(?i)too many requests|\b429\b`)},
		{"open-files", prefilter.MustCompile(`(?i)too many open files|\bEMFILE\b|\bENFILE\b`)},
	},
}

// DetailOf returns the kind of error in a line, as exactly as the line shows it.
func DetailOf(line string) Kind {
	kind := KindOf(line)
	text := prefilter.NewText(line[:min(len(line), 2000)])
	for _, d := range details[kind] {
		if d.re.Match(text) {
			return d.kind
		}
	}
	return kind
}

// Known reports whether a kind is in the vocabulary.
func (k Kind) Known() bool {
	return k.whole() != k || slices.ContainsFunc(kinds, func(p pattern) bool { return p.kind == k })
}

// Is reports whether an error of this kind is always one of the other kind.
func (k Kind) Is(other Kind) bool { return k == other || k.whole() == other }

// Maybe reports whether an error of this kind can be one of the other kind.
func (k Kind) Maybe(other Kind) bool { return k.Is(other) || other.whole() == k }

// whole returns the kind that this one is a detail of, or the kind itself.
func (k Kind) whole() Kind {
	for whole, list := range details {
		if slices.ContainsFunc(list, func(p pattern) bool { return p.kind == k }) {
			return whole
		}
	}
	return k
}
