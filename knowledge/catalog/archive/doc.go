// Package archive is the file that holds knowledge: pages of causes and questions, symptoms and message signatures, with the
// signature of who made it. The file is a tar of knowledge.zip and knowledge.zip.minisig, so that tar and minisign can check it
// too. Readers take it for hostile: who signed it is checked before anything in it is unpacked, everything is bounded, and no byte
// of the file is free. The form is described in docs/knowledge.md.
package archive
