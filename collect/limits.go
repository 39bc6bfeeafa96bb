package collect

// Bounds for hostile and huge input. Together with the bounds of the text readers, they keep the memory for any input below the
// limit in doc.go.
const (
	maxValue     = 32 << 20  // bytes of one JSON value that is held in memory: one object of a list
	maxYAML      = 8 << 20   // bytes of one YAML document or item
	leastObjects = 128 << 20 // minimum bytes for the objects of files, by estimate
	maxObjects   = 384 << 20 // maximum bytes, for large files
	maxDepth     = 1000      // nesting of JSON
	maxEntries   = 20_000    // files of one folder or archive
	maxDirectory = 16 << 20  // bytes of the directory of a zip archive
	maxNesting   = 4         // archives in archives, and other packings
	maxDocuments = 10_000    // cloud documents
	maxJudged    = 4_000     // cloud documents with an error or of a log
	maxInside    = 64 << 20  // bytes of a zip archive inside another archive, which is held in memory

	// An input may unpack to freelyUnpacked plus maxRatio times its size, and to at most maxUnpacked.
	freelyUnpacked = 128 << 20
	maxRatio       = 60
	maxUnpacked    = 32 << 30
	maxWindow      = 128 << 20 // zstd window in bytes; the zstd command has the same limit
)
