// Package bundle writes the file of a Snapshot: an archive of a manifest, the objects as JSON, and the texts that were kept during
// reading. Package collect reads bundles like any folder. Secrets are replaced when a bundle is written.
package bundle
