package collect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// SECURITY.md lists the current limits.
func TestLimitsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		fmt.Sprintf("| one JSON object | %d MiB |", maxValue>>20),
		fmt.Sprintf("| one YAML document or item | %d MiB |", maxYAML>>20),
		fmt.Sprintf("| YAML with aliases | %d MiB when expanded |", bounds.MaxExpanded>>20),
		fmt.Sprintf("| nesting of JSON | %d levels |", maxDepth),
		fmt.Sprintf("| all objects of the files | %d MiB and a quarter of the size of the files, at most %d MiB, estimated |", leastObjects>>20, maxObjects>>20),
		fmt.Sprintf("| objects of a JSON document | %d and one per %d bytes |", allowedItems.free, allowedItems.bytesEach),
		fmt.Sprintf("| YAML of a document | %d lines, keys and items |", bounds.MaxGlyphs),
		fmt.Sprintf("| lines of a text | %d and one per %d bytes |", allowedLines.free, allowedLines.bytesEach),
		fmt.Sprintf("| documents of a cloud | %d, and %d with an error or of a log |", maxDocuments, maxJudged),
		fmt.Sprintf("| objects of a document read without fields that do not fit | %d |", maxUnfitObjects),
		fmt.Sprintf("| messages of one kind about pods that were not read | %d |", maxUnseen),
		fmt.Sprintf("| files of a folder or archive | %d |", maxEntries),
		fmt.Sprintf("| archives in archives | %d levels |", maxNesting),
		fmt.Sprintf("| zip archive in another archive | %d MiB |", maxInside>>20),
		fmt.Sprintf("| directory of a zip archive | %d MiB |", maxDirectory>>20),
		fmt.Sprintf("| unpacked size of xz | %d MiB |", maxXZ>>20),
		fmt.Sprintf("| unpacked size | %d MiB and %d times the packed size |", freelyUnpacked>>20, maxRatio),
	} {
		if !strings.Contains(string(page), row) {
			t.Errorf("SECURITY.md lacks: %s", row)
		}
	}
}
