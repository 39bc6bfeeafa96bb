package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Sosreport is the layout of sos report.
var Sosreport = &Layout{
	Tool:     "sosreport",
	Source:   "sosreport/sos sos/report/plugins",
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)sos_commands/[^/]+/(?:[^/]+/)?journalctl_[^/]+$`)},
}
