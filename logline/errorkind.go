package logline

import "regexp"

// Kind is the kind of error that a line names, of a small closed vocabulary. Empty: none that is known.
type Kind string

// kinds are tried in this order: what says more comes first. "no space left on device" has many meanings; the operation
// before it tells which.
var kinds = []struct {
	kind Kind
	re   *regexp.Regexp
}{
	{"inotify-limit", regexp.MustCompile(`(?i)inotify.{0,80}(?:no space left|too many open files)|(?:no space left|too many open files).{0,60}inotify|failed to create fsnotify watcher`)},
	{"mount-limit", regexp.MustCompile(`(?i)\bmount\b.{0,160}no space left on device`)},
	{"device-limit", regexp.MustCompile(`(?i)(?:cgroup|mkdir /sys/fs).{0,160}no space left on device`)},
	{"inodes", regexp.MustCompile(`(?i)\binodes?\b.{0,60}(?:exhaust|full|no space|free=0)`)},
	{"no-space", regexp.MustCompile(`(?i)no space left on device|\bENOSPC\b|disk quota exceeded`)},
	{"read-only", regexp.MustCompile(`(?i)read-only file ?system|\bEROFS\b`)},
	{"io-error", regexp.MustCompile(`(?i)input/output error|\bI/O error\b|\bEIO\b|structure needs cleaning`)},
	{"certificate", regexp.MustCompile(`(?i)x509:|tls: |certificate (?:has expired|verify failed|signed by unknown)|bad certificate`)},
	{"unauthorized", regexp.MustCompile(`(?i)\bunauthorized\b|\b401\b|Unauthenticated`)},
	{"forbidden", regexp.MustCompile(`(?i)\bforbidden\b|\b403\b|PermissionDenied|AccessDenied|AuthorizationFailed`)},
	{"permission", regexp.MustCompile(`(?i)permission denied|operation not permitted|\bEPERM\b|\bEACCES\b`)},
	{"name-resolution", regexp.MustCompile(`(?i)no such host|server misbehaving|could not resolve|temporary failure in name resolution|lookup \S+ .{0,60}(?:i/o timeout|refused)`)},
	{"refused", regexp.MustCompile(`(?i)connection refused|ECONNREFUSED`)},
	{"no-route", regexp.MustCompile(`(?i)no route to host|network is unreachable|host is unreachable|EHOSTUNREACH`)},
	{"reset", regexp.MustCompile(`(?i)connection reset|broken pipe|use of closed network connection|unexpected EOF|transport is closing`)},
	{"timeout", regexp.MustCompile(`(?i)deadline ?exceeded|i/o timeout|timed? ?out|context canceled|TLS handshake timeout`)},
	{"no-memory", regexp.MustCompile(`(?i)cannot allocate memory|out of memory|oom-?kill|\bENOMEM\b`)},
	{"no-tasks", regexp.MustCompile(`(?i)resource temporarily unavailable|failed to create new OS thread|fork.{0,30}(?:rejected|failed)`)},
	{"too-many", regexp.MustCompile(`(?i)too many (?:open files|requests|levels)|\bEMFILE\b|\bENFILE\b|\b429\b`)},
	{"unknown-option", regexp.MustCompile(`(?i)unknown (?:flag|shorthand flag|field|option|command|key)|unrecognized (?:option|feature gate|arguments?)|flag provided but not defined|unmarshal|cannot parse|failed to parse|yaml: |invalid character`)},
	{"invalid", regexp.MustCompile(`(?i)\binvalid\b|not valid|must be|malformed|\bEINVAL\b`)},
	{"not-found", regexp.MustCompile(`(?i)no such (?:file|device|process|unit|container)|not found|does not exist|\bENOENT\b|\b404\b|executable file not found|cannot find`)},
	{"exists", regexp.MustCompile(`(?i)already (?:exists|in use|running|mounted|allocated)|address already in use|device or resource busy|\bEBUSY\b|\b409\b`)},
	{"not-supported", regexp.MustCompile(`(?i)not supported|unsupported|not implemented|function not implemented|unknown service|Unimplemented|exec format error`)},
	{"unavailable", regexp.MustCompile(`(?i)\bunavailable\b|\b503\b|not ready|not initialized|connection error`)},
	{"signal", regexp.MustCompile(`(?i)signal: |SIGSEGV|SIGKILL|code=killed|segfault|core dumped|nil pointer dereference`)},
}

// KindOf returns the kind of error that a line names.
func KindOf(line string) Kind {
	text := line[:min(len(line), 2000)]
	for _, k := range kinds {
		if k.re.MatchString(text) {
			return k.kind
		}
	}
	return ""
}
