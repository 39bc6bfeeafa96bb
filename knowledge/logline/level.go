package logline

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// level matches the level of a line: klog's letter, a field of logrus, zap, slog and similar libraries, or the letter of capnslog (etcd
// before 3.5).
var level = lazyregexp.New(`(?:^|[\s:\]])([IWEF])\d{4} \d\d:\d\d:\d\d|\blevel=([a-z]+)|"level" ?: ?"([a-z]+)"|[\[\s](DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[\]\s]|^\s*(DEBU|INFO|WARN|ERRO|FATA|PANI)\[|^\s*(DEBUG|INFO|WARNING|ERROR|FATAL): ` +
	`|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} ([CEWNIDT]) \| `)

// kernels match the kernel's prefix of a problem, which is not a level.
var kernels = lazyregexp.New(`^\s*(?:INFO: (?:task|rcu)|WARNING: CPU|WARNING: at )`)

// levels are the gravities of the level words.
var levels = map[string]Gravity{
	"I": Plain, "W": Warning, "E": Error, "F": Fatal, "C": Fatal, "N": Plain, "D": Plain, "T": Plain,
	"trace": Plain, "debug": Plain, "info": Plain, "warn": Warning, "warning": Warning, "error": Error, "fatal": Fatal, "panic": Fatal, "dpanic": Fatal,
	"DEBUG": Plain, "INFO": Plain, "WARN": Warning, "WARNING": Warning, "ERROR": Error, "FATAL": Fatal,
	"DEBU": Plain, "ERRO": Error, "FATA": Fatal, "PANI": Fatal,
}

// headLength is the number of bytes at the start of a line that can contain its level.
const headLength = 300

// LevelOf returns the gravity of a line's level; false if it has none.
func LevelOf(line string) (Gravity, bool) {
	m := level.FindStringSubmatch(line[:min(len(line), headLength)])
	if m == nil || m[6] != "" && kernels.MatchString(line) {
		return Plain, false
	}
	g, known := levels[m[1]+m[2]+m[3]+m[4]+m[5]+m[6]+m[7]] // one of them is not empty
	return g, known
}
