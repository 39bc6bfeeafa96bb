// Package redact replaces secrets in texts, JSON and objects with tags such as [redacted-password-1-8+]: the kind, a
// number per secret, and its length class (here 8 to 15 bytes). Object names, addresses, image digests, UIDs and
// certificate fingerprints stay. It is a strong filter, not a proof: review the result before you share it.
//
// A text is read once. At every clue (scan.go) rules decide what to redact. Clues are words that name a secret
// (names.go, values in assign.go and value.go), token prefixes (forms.go), shapes around a secret (shapes.go,
// shape_clues.go), service names (vendors.go), URLs (url.go), command lines (command_table.go, commands.go), process
// arguments (process.go), and encodings of these (encoded.go).
//
// State between lines (lines.go): private keys (pem.go), pasted Secrets (pasted.go), names with the value on the next
// line (awaited.go), and log prefixes (head.go).
package redact
