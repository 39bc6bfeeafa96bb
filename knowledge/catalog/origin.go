package catalog

// Origin is the source of a part of the knowledge that judged the evidence.
type Origin struct {
	Name     string `json:"name"`               // built-in, the name of an archive, or the folder of --catalog
	Version  string `json:"version,omitempty"`  // of the program, or of the archive; empty: of a folder
	Digest   string `json:"digest,omitempty"`   // of the archive: sha256:...
	SignedBy string `json:"signedBy,omitempty"` // the id of the verified key; empty: none was verified
}

// BuiltIn is the name of the built-in knowledge.
const BuiltIn = "built-in"
