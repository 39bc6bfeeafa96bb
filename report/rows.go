package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	values "k8s.io/apimachinery/pkg/util/json"
)

// Rows describes the entries of a list: their path in the JSON form, and their kubectl resource.
type Rows struct {
	Path     string // of all entries: {.groups[*].pods[*]}
	Resource string // before a name: pod; empty: not a kubectl resource
}

// Names writes the entries like kubectl -o name, a line each.
func Names(w io.Writer, v any, rows Rows) error {
	list, err := rows.of(v)
	if err != nil {
		return err
	}
	for _, row := range list {
		entry, _ := row.(map[string]any)
		if _, err := fmt.Fprintf(w, "%s/%v\n", rows.Resource, entry["name"]); err != nil {
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

// parseColumns parses NAME:.name,STATE:.state like kubectl.
func parseColumns(spec string) (heads, paths []string, err error) {
	for part := range strings.SplitSeq(spec, ",") {
		head, path, ok := strings.Cut(part, ":")
		if !ok || head == "" || path == "" {
			return nil, nil, fmt.Errorf("read the column %q: write HEADER:JSONPATH, as NAME:.name", part)
		}
		if err := CheckJSONPath(path); err != nil {
			return nil, nil, err
		}
		heads, paths = append(heads, head), append(paths, path)
	}
	return heads, paths, nil
}

// Columns writes the entries as a table, like kubectl -o custom-columns.
func Columns(w io.Writer, v any, rows Rows, spec string) error {
	heads, paths, err := parseColumns(spec)
	if err != nil {
		return err
	}
	list, err := rows.of(v)
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

// of returns the entries in the JSON form of a result.
func (r Rows) of(v any) ([]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write the JSON form: %w", err)
	}
	var value any
	if err := values.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("read the JSON form: %w", err)
	}
	j, err := parsePath(r.Path)
	if err != nil {
		return nil, err
	}
	found, err := j.FindResults(harmless(value))
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", r.Path, err)
	}
	var out []any
	for _, group := range found {
		for _, x := range group {
			out = append(out, x.Interface())
		}
	}
	return out, nil
}
