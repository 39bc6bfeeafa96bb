// Package redact replaces secrets in texts, JSON and objects by tags such as [redacted-password-1-8+]: the kind, a number
// that is the same wherever the same secret stands, and the class of its length (here 8 to 15 bytes). What diagnosis needs
// stays: names of objects, nodes and files, addresses, digests of images, UIDs, fingerprints of certificates. It is a
// strong filter, not a proof: see what leaves the house before it does.
//
// A text is read once: at every place that starts a clue (scan.go) the rules of that clue say what is to be hidden.
// Clues are words that name a secret (names.go, with the value after them in assign.go and value.go), prefixes of tokens
// (forms.go), shapes around a secret (shapes.go, shape_clues.go), names of services (vendors.go), URLs (url.go), command
// lines (command_table.go, commands.go), arguments of processes (process.go), and encoded forms of all these (encoded.go).
//
// What goes over several lines is kept between them (lines.go): private keys (pem.go), pasted Secrets (pasted.go), and names
// whose value stands on the next line (awaited.go), whatever a log puts in front of each line (head.go).
package redact
