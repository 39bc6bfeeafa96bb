// Package hollow is kubelets without machines: many in one process, each with its own client certificate,
// honest about time. A node renews its lease every ten seconds, posts its status when it changes and every
// five minutes, starts and stops its pods, and falls silent for real.
package hollow
