// Package archive reads and writes the archive of knowledge: pages of causes and questions, symptoms and message signatures,
// with the signature of the author. The file is a tar of knowledge.zip and knowledge.zip.minisig, so that tar and minisign can
// check it too. Readers treat it as hostile: the signature is checked before anything is unpacked, every size has a limit, and
// no byte of the file can vary. The format is described in docs/knowledge.md.
package archive
