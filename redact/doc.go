// Package redact replaces secrets in texts, JSON and objects by tags such as [redacted-password-1-8+]: the kind, a number
// that is the same wherever the same secret stands, and the class of its length (here 8 to 15 bytes). What diagnosis needs
// stays: names of objects, nodes and files, addresses, digests of images, UIDs, fingerprints of certificates. It is a
// strong filter, not a proof: see what leaves the house before it does.
//
// A text is looked at once: at every place that starts a clue (scan.go) the rules of that clue say what is to be hidden.
// Clues are words that name a secret (names.go, with the value after them in assign.go), the form of a token itself
// (tokens.go), URLs (url.go), command lines (commands.go), keys and blocks over several lines (lines.go), and the base64
// form of all these (encoded.go).
package redact
