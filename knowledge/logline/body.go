package logline

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// heads are what log lines start with before they say something, from the outside in: the journal's or
// syslog's head, then a time stamp, the stream of a container's log, klog's severity and thread, or logfmt's time.
var heads = []*lazyregexp.Regexp{
	syslog, iso,
	lazyregexp.New(`^\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\s`),
	lazyregexp.New(`^(?:stdout|stderr) [FP]\s`), // the container runtime's own
	lazyregexp.New(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}\s+\d+\s`),
	lazyregexp.New(`^time="[^"]{1,64}"\s`),
}

// Body is a log line without its head, so that what it says comes first where there is room for a part of
// it only. The program's own source position is kept.
func Body(line string) string {
	for _, head := range heads {
		line = strings.TrimSpace(line)
		if at := head.FindStringIndex(line[:min(len(line), 300)]); at != nil && at[0] == 0 && at[1] < len(line) {
			line = line[at[1]:]
		}
	}
	return strings.TrimSpace(line)
}
