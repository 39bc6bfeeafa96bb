package logline

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// heads match the prefixes of log lines, from the outside in: the head of the journal or syslog, then a time stamp, the stream
// of a container's log, klog's severity and thread, or logfmt's time.
var heads = []*lazyregexp.Regexp{
	syslog, iso,
	lazyregexp.New(`^\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\s`),
	lazyregexp.New(`^(?:stdout|stderr) [FP]\s`), // the container runtime's head
	lazyregexp.New(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}\s+\d+\s`),
	lazyregexp.New(`^time="[^"]{1,64}"\s`),
	lazyregexp.New(`^(?:TRAC|DEBU|INFO|WARN|ERRO|FATA)\[[^\]]{1,40}\]\s+`), // logrus on a terminal
}

// Body returns a log line without its head, so that the message comes first in limited space. It keeps the program's source
// position.
func Body(line string) string {
	for _, head := range heads {
		line = strings.TrimSpace(line)
		if at := head.FindStringIndex(line[:min(len(line), 300)]); at != nil && at[0] == 0 && at[1] < len(line) {
			line = line[at[1]:]
		}
	}
	return strings.TrimSpace(line)
}
