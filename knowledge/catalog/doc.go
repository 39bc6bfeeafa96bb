// Package catalog contains the causes: one Markdown page each, with the meaning, the confirmation, the remedies and their risk,
// and what the cause explains. The pages form the causal graph that puts the root cause first in a report. The format is
// described in docs/knowledge.md.
package catalog
