package logline

import "github.com/nodetriage/nodetriage/knowledge/prefilter"

// written matches commands and sentences of people who write a line to the kernel log, to test a monitor that reads it.
var written = prefilter.MustCompile(`(?i)\b(?:echo|printf|print|tee|writ(?:e|es|ing|ten)|wrote|sen[dt]|sending|inject(?:s|ed|ing)?|append(?:s|ed|ing)?|put|log(?:s|ged|ging)?|simulat(?:e|es|ed|ing))\b.{0,300}/dev/kmsg\b|>\s{0,3}/dev/kmsg\b`)

// WritesKernelLog reports whether a person writes, or says that he wrote, a line to the kernel log.
func WritesKernelLog(line string) bool {
	return written.Match(prefilter.NewText(line[:min(len(line), 2000)]))
}
