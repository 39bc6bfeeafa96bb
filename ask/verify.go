package ask

import (
	"context"
	"time"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// VerifyOptions are the options of Verify.
type VerifyOptions struct {
	// Node is the name of the node.
	Node string
	// Since is the time of the fix, as RFC 3339 or as a duration before now: 15m. Empty means when the node became Ready.
	Since string
	// Before is the report of Diagnose before the fix; nil if there is none.
	Before *triage.Report
}

// Verify runs the checks that show whether a fix worked, as far as read access allows.
func Verify(ctx context.Context, from From, opt VerifyOptions) (*verify.Verification, error) {
	l, err := from.look(ctx, need{nodes: []string{opt.Node}, cloud: true})
	if err != nil {
		return nil, err
	}
	s := l.snapshot
	if missing(s, opt.Node) {
		return nil, noNode(s, opt.Node)
	}
	in := from.Knowledge.Verifying()
	in.Snapshot, in.Node, in.Now, in.Before = s, opt.Node, from.At, opt.Before
	now := from.At
	if now.IsZero() {
		now = s.TakenAt()
	}
	if in.Since, err = readSince(opt.Since, now); err != nil {
		return nil, err
	}
	return verify.Judge(in), nil
}

// Verifying returns the knowledge in the form of package verify, without evidence.
func (k *Knowledge) Verifying() verify.Input {
	return verify.Input{Catalog: k.Catalog, Signatures: k.Signatures, Rulebook: rules.All(), Knowledge: k.Origins}
}

// readSince parses a time, or a duration before now.
func readSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 && !now.IsZero() {
		return now.Add(-ago), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, hintf("use a time like 2026-11-21T03:04:05Z, or a duration like 15m", "invalid value %q for --since", text)
	}
	return t.UTC(), nil
}
