package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	values "k8s.io/apimachinery/pkg/util/json"
)

// Rows describes the entries of a list, which are items in its JSON form.
type Rows struct {
	Resource string // before a name: pod; empty: not a list
}

// Names writes the entries like kubectl -o name, a line each.
func Names(w io.Writer, v any, rows Rows) error {
	list, err := itemsOf(v)
	if err != nil {
		return err
	}
	for _, row := range list {
		entry, _ := row.(map[string]any)
		metadata, _ := entry["metadata"].(map[string]any)
		if _, err := fmt.Fprintf(w, "%s/%v\n", rows.Resource, metadata["name"]); err != nil {
			return err
		}
	}
	return nil
}

// CheckColumns returns an error if a specification of columns is invalid.
func CheckColumns(spec string) error {
	_, _, err := parseColumns(spec)
	return err
}

// parseColumns parses NAME:.metadata.name,STATE:.state like kubectl.
func parseColumns(spec string) (heads, paths []string, err error) {
	for part := range strings.SplitSeq(spec, ",") {
		head, path, ok := strings.Cut(part, ":")
		if !ok || head == "" || path == "" {
			return nil, nil, fmt.Errorf("read the column %q: write HEADER:JSONPATH, as NAME:.metadata.name", part)
		}
		if err := CheckJSONPath(path); err != nil {
			return nil, nil, err
		}
		heads, paths = append(heads, head), append(paths, path)
	}
	return heads, paths, nil
}

// Columns writes the entries as a table, like kubectl -o custom-columns.
func Columns(w io.Writer, v any, spec string) error {
	heads, paths, err := parseColumns(spec)
	if err != nil {
		return err
	}
	list, err := itemsOf(v)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 6, 4, 3, ' ', 0) // the settings of kubectl
	fmt.Fprintln(table, strings.Join(heads, "\t"))
	for _, row := range list {
		cells := make([]string, len(paths))
		for i, path := range paths {
			j, err := parsePath(path)
			if err != nil {
				return err
			}
			found, err := j.FindResults(row)
			if err != nil {
				return fmt.Errorf("find %s: %w", path, err)
			}
			var parts []string
			for _, group := range found {
				for _, x := range group {
					if x.IsValid() && x.CanInterface() && x.Interface() != nil {
						parts = append(parts, Clean(fmt.Sprint(x.Interface())))
					}
				}
			}
			if cells[i] = strings.Join(parts, ","); cells[i] == "" {
				cells[i] = "<none>"
			}
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// itemsOf returns the entries in the JSON form of a result.
func itemsOf(v any) ([]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write the JSON form: %w", err)
	}
	var value any
	if err := values.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("read the JSON form: %w", err)
	}
	list, _ := harmless(value).(map[string]any)
	out, ok := list["items"].([]any)
	if !ok {
		return nil, errors.New("the JSON form has no items")
	}
	return out, nil
}
