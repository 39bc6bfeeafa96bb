package collect

import (
	"bytes"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// byApplication replaces application output in a log line of a component.
const byApplication = "[written by the application]"

// quoteMarks occur in lines that quote the output or the spec of a container: a fast check before the frames.
var quoteMarks = prefilter.NewMarks("output=", "message=<", "probe failed", "probe warning", "lifecycle hook (", "&Container{", "' exited with ", "segfault at")

// inLogs are the channels that are masked in logs. The response of a webhook is shown, because it is the reason of a refusal.
// Signatures do not read it, see refusal.
var inLogs = map[evidence.Channel]bool{evidence.ProbeOutput: true, evidence.HookOutput: true, evidence.PodSpec: true}

// refusal returns the position of an admission webhook's response in a line.
func refusal(line string) (from, to int) {
	if !strings.Contains(line, "denied the request") {
		return 0, 0
	}
	for _, q := range quotesIn(line, nil) {
		if q.channel == evidence.WebhookAnswer {
			return q.from, q.to
		}
	}
	return 0, 0
}

// withoutQuotes masks application output in the log lines of components.
func withoutQuotes(r io.Reader) io.Reader {
	v := &logValue{}
	return newLineFilter(r, v.look, func(line []byte) []byte {
		if v.inside(line) {
			return append([]byte(byApplication), lineEnd(line)...)
		}
		if text := string(line); quoteMarks.In(line) && textclass.OfLine(text).MayReportState() {
			return []byte(maskedLine(text))
		}
		return line
	})
}

// withoutApplications reads a pasted text without application logs, multi-line values and termination messages, which can look
// like any table. The rest is unchanged.
func withoutApplications(r io.Reader) io.Reader {
	v := &logValue{}
	blocks, in := paste.Blocks{}, paste.Block{}
	var ended paste.Termination
	look := func(text []byte) bool {
		inside := in.Tenant || ended.Open()
		return inside || v.look(text) || bytes.Contains(text, []byte(" log")) || bytes.Contains(text, []byte("Terminated"))
	}
	return newLineFilter(r, look, func(line []byte) []byte {
		text := string(bytes.TrimRight(line, "\r\n"))
		if before := len(blocks.List()); in.Tenant || strings.Contains(text, " log") {
			if blocks.Take(text); len(blocks.List()) > before {
				in = blocks.List()[before]
				return line
			}
		}
		if v.inside(line) || in.OfTenant(text) {
			return lineEnd(line)
		}
		return append([]byte(ended.Masked(text)), lineEnd(line)...)
	})
}

func maskedLine(line string) string {
	return unquoted(line, quotesIn(strings.TrimRight(line, "\r\n"), nil), byApplication, func(q quote) bool { return inLogs[q.channel] })
}

// logValue tracks multi-line values in a log (k8s.io/klog/v2 internal/serialize v2.130): their lines begin with a tab.
type logValue struct{ open bool }

func (v *logValue) look(text []byte) bool { return v.open || quoteMarks.In(text) }

// inside reports whether a line is part of a value.
func (v *logValue) inside(line []byte) bool {
	if v.open {
		v.open = !endsValue(line)
		return v.open
	}
	line = bytes.TrimRight(line, "\r\n")
	v.open = bytes.HasSuffix(line, []byte("output=<")) || bytes.HasSuffix(line, []byte("message=<"))
	return false
}

func endsValue(line []byte) bool {
	if at := bytes.Index(line, []byte("]: ")); at >= 0 && bytes.IndexByte(line[:at], '\t') < 0 { // after the journal prefix
		line = line[at+3:]
	}
	return bytes.HasPrefix(line, []byte(" >"))
}
