package timeline

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// An installer is a tool that runs once to set up a cluster or a node, and succeeds or fails as a whole.
type installer struct {
	finished string             // the signature of its success message
	own      *lazyregexp.Regexp // its lines, in the output of another run
}

// installers has those that call others first.
var installers = []installer{
	{"endings-openshift-installed", lazyregexp.New(`^time="?\S+ level=`)},
	{"endings-minikube-finished", lazyregexp.New(`^\s*(?:[*!X]|[^\x00-\x7F]{1,4}) {1,3}\S`)},
	{"endings-kind-finished", lazyregexp.New(`^ERROR: failed to create cluster|^Command Output: `)},
	{"endings-eksctl-finished", lazyregexp.New(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[`)},
	{"endings-rke-finished", lazyregexp.New(`^(?:INFO|WARN|ERRO|FATA)\[\d{4}\] |^time="?\S+ level=`)},
	{"endings-kubeadm-finished", lazyregexp.New(`^\s*\[(?:ERROR|WARNING) [A-Z][\w-]{2,60}\]|^\s*\[(?:preflight|init|certs|kubeconfig|kubelet-start|kubelet-check|control-plane|etcd|wait-control-plane|apiclient|api-check|discovery|upgrade[\w/-]*)\] |^error execution phase |^[WE]\d{4} .{20,40}(?:version|configset|preflight|checks)\.go:\d+\]`)},
}

// persists are causes that an installer reports and that its success does not end: it works with what is left.
var persists = []string{"disk-pressure", "inode-exhaustion", "disk-pressure-condition"}

// Position is the place of a line in the evidence, and its text.
type Position struct {
	Source  string
	Block   int
	Line    int
	Speaker logline.Speaker
	Text    string
}

// Finished returns the success message with which the installer that reported a line ended later: the same run, or in the same text
// another run of it. What the installer quotes of commands and of components counts as its report.
func Finished(s *evidence.Snapshot, at Position, says string) (*evidence.Match, bool) {
	if at.Line == 0 || slices.Contains(persists, says) {
		return nil, false
	}
	for i := range installers {
		t := &installers[i]
		for _, done := range s.MatchesOf(t.finished) {
			if done.Ref.Source == at.Source && done.LastLine > at.Line && t.reports(at, done) {
				return done, true
			}
		}
	}
	return nil, false
}

// reports reports whether the line is a report of the installer that ended with a message.
func (t *installer) reports(at Position, done *evidence.Match) bool {
	if process := processOf(at.Text); process != "" && process == processOf(LastText(done)) {
		return true
	}
	return mayQuote(at.Speaker) && (done.Block == at.Block || t.own.MatchString(at.Text))
}

// processOf returns the process in the header of a line of klog.
func processOf(line string) string {
	if m := klogProcess.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

var klogProcess = lazyregexp.New(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +(\d{2,8}) \S`)

// mayQuote reports whether a line may be part of the output of an installer: no component wrote it to its own log.
func mayQuote(by logline.Speaker) bool {
	return slices.Contains([]logline.Speaker{logline.Unknown, logline.Command, logline.Klog, logline.Bootstrap, logline.Other}, by)
}
