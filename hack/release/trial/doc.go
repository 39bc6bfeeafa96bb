// Package trial takes what make release made and uses it as people will, with the tools of others: Helm, krew, an image
// registry, dpkg, rpm, minisign and cosign. It has tests alone: make trial.
package trial
