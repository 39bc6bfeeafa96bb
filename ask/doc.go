// Package ask answers questions about nodes, with one function and one file for each: Diagnose, Node, Nodes, Why, Predict,
// Drain and the others. A question takes its options and From, which names the source of the evidence and the knowledge to
// judge it by. The answer is a value. Callers, such as the command line, write it in their own form.
//
// A question only reads. Drain, Upgrade and Repair return plans; package execute carries them out. Nothing here prints, waits
// for a person, or depends on the process: it parses no flags and reads no environment, standard streams or signals.
package ask
