package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Sosreport is how sos report arranges what it collects.
var Sosreport = &Layout{
	Tool:     "sosreport",
	Source:   "sosreport/sos sos/report/plugins",
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)sos_commands/[^/]+/(?:[^/]+/)?journalctl_[^/]+$`)},
}
