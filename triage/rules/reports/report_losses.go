package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits above which retransmitted segments prove packet loss.
const (
	lossyPercent   = 2   // of a lossy path; a good one retransmits far less than 1 %
	silentPercent  = 60  // above this hardly anything arrives: the path is cut, which other rules report
	fewLost        = 3   // fewer may be one delay
	sentToAPI      = 40  // segments of a short exchange with the API server
	sentByTheWorld = 500 // segments of all other connections of the node

	// Of 1182 short exchanges of busy machines without loss, 22 retransmitted 3 segments or more. Later one retransmitted 5, on a
	// machine with five times the load that it can handle. With 10 % packet loss, none retransmitted fewer than 11.
	fewOfTalk   = 8
	lossyOfTalk = 5 // percent
)

// Losses checks TCP retransmissions in the window of a node report. Losses since the boot may be long over and prove nothing.
var Losses = &triage.Rule{
	ID:    "report-losses",
	Doc:   "Reads how many TCP segments were retransmitted during the node-check, and which network interfaces dropped packets.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, l := range r.Losses {
				if l.Name == "tcp" && l.Window > 0 {
					judgeLoss(p, subject, r, l)
				}
			}
		})
	},
}

func judgeLoss(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, l nodereport.Loss) {
	if l.WindowSent < sentByTheWorld && (l.Answered == 0 || l.WindowSent < sentToAPI) {
		p.Unknown("whether "+facts.TheNode(r.Node)+" loses packets", fmt.Sprintf("it sent only %d TCP segments in %s", l.WindowSent, wording.Duration(l.Window)),
			"ping -c 100 -i 0.2 <address of another node>")
		return
	}
	text := fmt.Sprintf("%d of %d TCP segments were retransmitted within %s", l.WindowLost, l.WindowSent, wording.Duration(l.Window))
	share := facts.Percent(l.WindowLost, l.WindowSent)
	switch {
	case l.WindowLost < fewLost || share < lossyPercent:
		p.RuleOut("packet-loss", subject, text)
		return
	case share >= silentPercent && l.Answered == 0:
		return
	case l.WindowSent < sentByTheWorld && (l.WindowLost < fewOfTalk || share < lossyOfTalk):
		p.Unknown("whether "+facts.TheNode(r.Node)+" loses packets", text+", which also happens on busy nodes",
			"ping -c 100 -i 0.2 <address of another node>")
		return
	}
	refs := []evidence.Ref{facts.ReportRef(r, "", "tcp", "%s (since the boot: %s)", text, l.Ref)}
	for _, card := range r.Losses {
		if card.Name != "tcp" && card.WindowLost > 0 {
			refs = append(refs, facts.ReportRef(r, card.Ref, card.Name, "%d of %d packets dropped or damaged within %s", card.WindowLost, card.WindowSent, wording.Duration(card.Window)))
		}
	}
	p.Found(triage.Claim{Says: "packet-loss", Subject: subject, Certainty: triage.Likely, Key: "losses", Evidence: refs, Summary: text})
}
