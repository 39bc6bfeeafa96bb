package collect

import (
	"errors"
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
)

var errNoObject = errors.New("it is not an object")

// decodeItem decodes an item of a list of a bundle. If without is set, it may leave out fields that do not decode, and returns
// them.
func decodeItem(l *evidence.List, raw []byte, without bool) (any, []unfit, error) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, nil, errNoObject
	}
	item, left, err := unmarshal(raw, l.New, without)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", l.Section, err)
	}
	return item, left, nil
}
