// Package catalog is what nodetriage knows about causes: one Markdown page each, with the meaning, the
// confirmation, the remedies and their risk, and what the cause explains. The pages form the causal graph
// by which a report puts the root first. The format is described in docs/knowledge.md.
package catalog
