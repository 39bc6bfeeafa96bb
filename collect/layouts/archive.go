package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Archive is the layout of archives of the nodetriage agent, as drain and repair name them.
var Archive = &Layout{
	Tool:   "nodetriage-agent",
	Source: "nodereport.SavedAs",
	Nodes:  []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)saved-(?P<node>[A-Za-z0-9_-]+)-\d{8}T\d{6}Z/`)},
}
