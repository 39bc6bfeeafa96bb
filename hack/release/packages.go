package main

import (
	"regexp"
	"strings"
)

// since matches what git describe adds for the commits after a tag.
var since = regexp.MustCompile(`-(\d+)-g([0-9a-f]+)`)

// packageVersion is a version as Debian and rpm order them: a candidate comes before its release, and what was committed
// after a release comes after it.
func packageVersion(version string) string {
	return strings.ReplaceAll(since.ReplaceAllString(version, "+$1.g$2"), "-", "~")
}

// What packages say of the agent.
const (
	agentSummary = "keeps a report of this Kubernetes node for nodetriage"
	agentText    = `It looks at the machine again and again, writes what it sees to
/var/log/nodetriage and serves it on the loopback. It changes nothing.`
	maintainer = "nodetriage maintainers <" + page + ">"
	page       = "https://github.com/nodetriage/nodetriage"
)
