package collect

// Bounds against hostile and huge input. Together with the bounds of the text readers they hold the memory of
// reading any input below what doc.go states.
const (
	maxValue     = 32 << 20  // bytes of one JSON value that is held as a whole: one object of a list
	maxYAML      = 8 << 20   // bytes of one YAML document or item
	leastObjects = 128 << 20 // bytes that the objects of files may take in any case, by estimate
	maxObjects   = 384 << 20 // and at most, for large files
	maxDepth     = 1000      // nesting of JSON
	maxEntries   = 20_000    // files of one folder or archive
	maxDirectory = 16 << 20  // bytes of the directory of a zip archive
	maxNesting   = 4         // archives in archives, and other packings
	maxDocuments = 10_000    // documents of clouds
	maxJudged    = 4_000     // of them, those with an error or of a log
	maxInside    = 64 << 20  // bytes of a zip archive inside another archive, which is held as a whole

	// An input may unpack to this much at once, and to so many times its size beyond; in all to maxUnpacked.
	freelyUnpacked = 128 << 20
	maxRatio       = 60
	maxUnpacked    = 32 << 30
	maxWindow      = 128 << 20 // bytes that zstd looks back; its command takes no more either
)
