package logline

import "github.com/nodetriage/nodetriage/knowledge/prefilter"

// Kind is the kind of error in a line, from a small fixed vocabulary. Empty means unknown.
type Kind string

// kinds are tried in this order, the most specific first. "no space left on device" has many meanings, and the operation before
// it decides.
var kinds = []struct {
	kind Kind
	re   *prefilter.Regexp
}{
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
	{"name-resolution", prefilter.MustCompile(`(?i)no such host|server misbehaving|could not resolve|temporary failure in name resolution|lookup \S+ .{0,60}(?:i/o timeout|refused)`)},
	{"refused", prefilter.MustCompile(`(?i)connection refused|ECONNREFUSED`)},
	{"no-route", prefilter.MustCompile(`(?i)no route to host|network is unreachable|host is unreachable|EHOSTUNREACH`)},
	{"reset", prefilter.MustCompile(`(?i)connection reset|broken pipe|use of closed network connection|unexpected EOF|transport is closing`)},
	{"timeout", prefilter.MustCompile(`(?i)deadline ?exceeded|i/o timeout|timed? ?out|context canceled|TLS handshake timeout`)},
	{"no-memory", prefilter.MustCompile(`(?i)cannot allocate memory|out of memory|oom-?kill(?:ed|er|ing)?\b|\bENOMEM\b`)},
	{"no-tasks", prefilter.MustCompile(`(?i)resource temporarily unavailable|failed to create new OS thread|fork.{0,30}(?:rejected|failed)`)},
	{"too-many", prefilter.MustCompile(`(?i)too many (?:open files|requests|levels)|\bEMFILE\b|\bENFILE\b|\b429\b`)},
	{"unknown-option", prefilter.MustCompile(`(?i)unknown (?:flag|shorthand flag|field|option|command|key)|unrecognized (?:option|feature gate|arguments?)|flag provided but not defined|unmarshal|cannot parse|failed to parse|yaml: |invalid character`)},
	{"invalid", prefilter.MustCompile(`(?i)\binvalid\b|not valid|must be|malformed|\bEINVAL\b`)},
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
