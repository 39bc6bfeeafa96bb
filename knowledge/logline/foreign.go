package logline

import "github.com/nodetriage/nodetriage/knowledge/prefilter"

// foreign matches forms of lines that no component of a node writes. What a workload logs about its disk, memory or names is
// about its own container.
var foreign = prefilter.MustCompile(
	// Java: loggers, frames, exceptions, the heads of Spring Boot and log4j
	`\b(?:org|com|net|io)\.[a-z0-9_]{1,40}(?:\.[a-z0-9_]{1,40}){0,8}\.[A-Z]\w{2,60}\b|\b(?:[a-z]\.){2,6}[A-Z]\w{2,60}\b|\bat [\w.$]{3,120}\(\w{1,60}\.java:\d+\)|\bjavax?\.(?:[a-z]{1,30}\.){1,4}\w{0,60}(?:Exception|Error)\b|` +
		`\b(?:ERROR|WARN|INFO|DEBUG) +\d{1,8} --- \[[^\]]{1,60}\] |^\[[\d :,.-]{10,30}\] (?:ERROR|WARN|INFO|DEBUG|TRACE) |\b(?:INFO|WARN|ERROR) dfs\.|` +
		// Python: frames, gunicorn
		`^\s*File "[^"]{1,200}", line \d+|^\[[\d :+-]{15,30}\] \[\d{1,8}\] \[[A-Z]{4,8}\] |` +
		// web servers and databases: access logs, nginx, Apache, PostgreSQL, Redis, MySQL
		`^\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:[\d: +-]{8,20}\] "|^\[[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} [\d:.]{8,20} \d{4}\] \[|` +
		`^[\d/]{8,10} [\d:]{8} \[(?:emerg|alert|crit|error|warn|notice|info)\] \d{1,8}#\d{1,8}: |^[\d-]{10} [\d:.]{8,15} [A-Z]{3,4} \[\d{1,8}\] |` +
		`^\d{1,8}:[MSCX] \d{1,2} [A-Z][a-z]{2} \d{4} [\d:.]{8,15} [*#.-] |\[(?:Note|Warning|ERROR|System)\] \[MY-\d{6}\] `)

// Foreign reports whether a line has the form of an application's log line.
func Foreign(line string) bool {
	return foreign.Match(prefilter.NewText(line[:min(len(line), 400)]))
}
