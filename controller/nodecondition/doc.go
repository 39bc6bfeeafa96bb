// Package nodecondition writes judgements as the condition NodetriageHealthy of nodes, which repair tools can read. It is off by default.
package nodecondition
