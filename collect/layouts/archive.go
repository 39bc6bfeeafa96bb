package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Archive is how an archive of our own agent is arranged, as drain and repair name it.
var Archive = &Layout{
	Tool:   "nodetriage-agent",
	Source: "nodereport.SavedAs",
	Nodes:  []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)saved-(?P<node>[A-Za-z0-9_-]+)-\d{8}T\d{6}Z/`)},
}
