package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// CrashDiagnostics is the layout of crash-diagnostics.
var CrashDiagnostics = &Layout{
	Tool:    "crash-diagnostics",
	Source:  "vmware-tanzu/crash-diagnostics k8s/object_writer.go",
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)kubecapture/core_v1/(?P<ns>[^/]+)/(?P<pod>[^/]+)/[^/]+/[^/]+\.log$`), Whole: true}},
}
