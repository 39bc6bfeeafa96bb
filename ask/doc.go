// Package ask answers the questions that people have about nodes, one function and one file each: Diagnose, Node, Nodes, Why,
// Predict, Drain and the others. A question takes From, which names the source of the evidence and the knowledge to judge it by, and
// its options. The answer is a value. Whoever shows answers, such as the command line, asks here and writes the value in its own form.
//
// A question only reads. Drain, Upgrade and Repair return plans; package execute carries them out. Nothing here prints, waits for a
// person, or depends on the process: no flags, environment, standard streams or signals.
package ask
