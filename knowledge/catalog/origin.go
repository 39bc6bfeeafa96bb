package catalog

// Origin is where a part of the knowledge came from by which evidence was judged.
type Origin struct {
	Name     string `json:"name"`               // built-in, the name of an archive, or the folder of --catalog
	Version  string `json:"version,omitempty"`  // of the program, or of the archive; empty: of a folder
	Digest   string `json:"digest,omitempty"`   // of the archive: sha256:...
	SignedBy string `json:"signedBy,omitempty"` // the id of the key that was checked; empty: none was
}

// BuiltIn is the name of what the program itself has.
const BuiltIn = "built-in"
