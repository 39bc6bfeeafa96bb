package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// statement matches a sentence that describes a state.
var statement = regexp.MustCompile(`^(?:The|A|An|It|This|That|There|No|Each|Every|All|Most)\b`)

// changedBefore matches a condition that reads like a step: what changed before the problem began.
var changedBefore = regexp.MustCompile(`^After an? .*\b(?:update|upgrade)\b[^,.]*,`)

// A short form of a title is its first sentence, so the first sentence is an action, not a description of the fault.
func TestFixesAreActions(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		for _, r := range c.Remedies {
			if first := shell.Sentences(r.Title)[0]; statement.MatchString(first) {
				t.Errorf("%s: fix %q: begin with what to do", c.ID, first)
			}
			for _, says := range shell.Sentences(r.Title) {
				if changedBefore.MatchString(says) {
					t.Errorf("%s: fix %q: begin with \"If the problem began with\"", c.ID, says)
				}
			}
		}
	}
}

// drains matches a step of a fix that empties the node.
var drains = regexp.MustCompile(`\b[Dd]rain (?:the|this|its) node\b|\b[Dd]rain and\b`)

// The commands of a fix are pasted as a block, so a drain in its title has its command: a reboot alone would stop the pods.
func TestDrainsHaveTheirCommand(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		for _, r := range c.Remedies {
			commands := strings.Join(shell.Strings(r.Commands), "\n")
			if drains.MatchString(r.Title) && commands != "" && !strings.Contains(commands, " drain ") {
				t.Errorf("%s: fix %q: add the command of the drain", c.ID, r.Title)
			}
		}
	}
}

// unclear are forms that a reader had to read twice, and what to write.
var unclear = map[*regexp.Regexp]string{
	regexp.MustCompile(`(?i)\bpod ranges?\b`):                                                              "pod CIDR",
	regexp.MustCompile(`(?i)\blost (?:node|pod)s?\b|\bpods? (?:is|are) (?:then )?lost\b`):                  "unreachable, permanently gone, or deleted for good",
	regexp.MustCompile(`(?i)\b(?:kubelet|nodes?) (?:does not report|do not report|reports?)(?:[.,;:)]|$)`): "what it reports: it posts its status, or sends heartbeats",
	regexp.MustCompile("the reason is `"):                                                                  `"see", or "the cause is"`,
	regexp.MustCompile(`(?i)\bboth together\b|\(or the reverse\)`):                                         "the names of the two",
	regexp.MustCompile(`\bdrain does not start\b`):                                                         "what happens to the pods",
}

// Titles, impacts, checks, cautions and meanings use the words of the field, and name what they mean.
func TestPagesAreClearAtFirstReading(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		for _, text := range prose(c) {
			for form, instead := range unclear {
				if found := form.FindString(strings.ReplaceAll(text, "\n", " ")); found != "" {
					t.Errorf("%s: %q: write %s", c.ID, found, instead)
				}
			}
		}
	}
}

// prose returns the texts of a page that people read.
func prose(c *catalog.Cause) []string {
	out := []string{c.Title, c.Impact, c.Meaning}
	for _, v := range c.Variants {
		out = append(out, v.Title, v.Impact)
	}
	for _, k := range c.Confirm {
		out = append(out, string(k.Expect))
	}
	for _, r := range c.Remedies {
		out = append(out, r.Title, r.Short)
	}
	for _, k := range slices.Concat(c.Cautions, c.Verify) {
		out = append(out, string(k.Text))
	}
	return out
}
