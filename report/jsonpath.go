package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	values "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
)

// CheckJSONPath returns an error if an expression is invalid.
func CheckJSONPath(expression string) error {
	_, err := parsePath(expression)
	return err
}

func parsePath(expression string) (*jsonpath.JSONPath, error) {
	if !strings.Contains(expression, "{") { // as kubectl accepts it: .verdict, or verdict
		expression = "{." + strings.TrimPrefix(expression, ".") + "}"
	}
	j := jsonpath.New("output").AllowMissingKeys(true)
	if err := j.Parse(expression); err != nil {
		return nil, fmt.Errorf("read the JSONPath expression %s: %w", expression, err)
	}
	return j, nil
}

// JSONPath evaluates a kubectl JSONPath expression on the JSON form of a value and writes the result. Like YAML it is for
// people, so hostile characters are replaced.
func JSONPath(w io.Writer, v any, expression string) error {
	j, err := parsePath(expression)
	if err != nil {
		return err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the JSON form: %w", err)
	}
	var value any
	if err := values.Unmarshal(data, &value); err != nil {
		return fmt.Errorf("read the JSON form: %w", err)
	}
	if err := j.Execute(w, harmless(value)); err != nil {
		return fmt.Errorf("find %s: %w", expression, err)
	}
	return nil
}
