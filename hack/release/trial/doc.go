// Package trial uses the output of make release like users do, with other tools: Helm, krew, an image registry, dpkg, rpm,
// minisign and cosign. It contains only tests: make trial.
package trial
