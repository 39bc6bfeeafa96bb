// Package bundle is the file that holds a Snapshot: an archive of a manifest, the objects as JSON, and the texts that were kept
// while they were read. It writes; package collect reads bundles as it reads any folder. Secrets are replaced on the way out.
package bundle
