package logline

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// level is what a writer calls its line: klog's letter, or a field of logrus, zap, slog and the like.
var level = lazyregexp.New(`(?:^|[\s:\]])([IWEF])\d{4} \d\d:\d\d:\d\d|\blevel=([a-z]+)|"level" ?: ?"([a-z]+)"|[\[\s](DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[\]\s]|^\s*(DEBU|INFO|WARN|ERRO|FATA|PANI)\[|^\s*(DEBUG|INFO|WARNING|ERROR|FATAL): `)

// kernels are what a kernel puts before trouble, which is no level.
var kernels = lazyregexp.New(`^\s*(?:INFO: (?:task|rcu)|WARNING: CPU|WARNING: at )`)

// levels are the gravities of those words.
var levels = map[string]Gravity{
	"I": Plain, "W": Warning, "E": Error, "F": Fatal,
	"trace": Plain, "debug": Plain, "info": Plain, "warn": Warning, "warning": Warning, "error": Error, "fatal": Fatal, "panic": Fatal, "dpanic": Fatal,
	"DEBUG": Plain, "INFO": Plain, "WARN": Warning, "WARNING": Warning, "ERROR": Error, "FATAL": Fatal,
	"DEBU": Plain, "ERRO": Error, "FATA": Fatal, "PANI": Fatal,
}

// headLength is within how many bytes of a line its level stands, in bytes.
const headLength = 300

// LevelOf is how grave the writer of a line calls it; false: it does not say.
func LevelOf(line string) (Gravity, bool) {
	m := level.FindStringSubmatch(line[:min(len(line), headLength)])
	if m == nil || m[6] != "" && kernels.MatchString(line) {
		return Plain, false
	}
	g, known := levels[m[1]+m[2]+m[3]+m[4]+m[5]+m[6]] // one of them is not empty
	return g, known
}
