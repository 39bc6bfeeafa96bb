package collect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// allowance bounds how many items a document may hold: a free number, and one more for each bytesEach bytes. Real documents stay
// far below. The bound covers the smallest items: a file of 100 MB can hold millions of them.
type allowance struct{ free, bytesEach int }

func (a allowance) exceeded(n, bytes int) bool { return n > a.free+bytes/a.bytesEach }

var (
	allowedItems = allowance{200_000, 400} // objects and other JSON values
	allowedLines = allowance{8_000_000, 12}
)

// Errors for the bounds that end the reading of a document.
var (
	errManyItems = errors.New("it has too many objects for its size")
	errManyLines = errors.New("it has too many lines for its size")
	errFull      = errors.New("the memory limit of the evidence is reached")

	boundErrors = []error{errManyItems, errManyLines, bounds.ErrLongYAML, errFull, redact.ErrCrowded}
)

// enough reports whether reading ended at a bound before the end of the document.
func enough(err error) bool {
	return slices.ContainsFunc(boundErrors, func(bound error) bool { return errors.Is(err, bound) })
}

// boundedLines is a reader that fails if the text has more lines than allowed.
type boundedLines struct {
	r            io.Reader
	lines, bytes int
}

func (b *boundedLines) Read(p []byte) (int, error) {
	if allowedLines.exceeded(b.lines, b.bytes) {
		return 0, errManyLines
	}
	n, err := b.r.Read(p)
	b.lines += bytes.Count(p[:n], []byte{'\n'})
	b.bytes += n
	return n, err
}

// Objects of files may take leastObjects of memory, plus a quarter of the size of the files, and at most maxObjects.
const shareOfFiles = 4

// roomForObjects returns how much memory the objects of files may take after that many bytes of files.
func roomForObjects(read int64) int {
	return int(min(maxObjects, leastObjects+read/shareOfFiles))
}

func fullWhy(room int) string {
	return fmt.Sprintf("what was read takes more than %d MiB", room>>20)
}
