package survey

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Every kind that the table of kinds surveys has a list function.
func TestSurveyedKinds(t *testing.T) {
	for _, row := range evidence.Kinds() {
		for _, o := range row.Objects() {
			if o.Survey != evidence.Apart && kube.Surveyed(o.Resource()) == nil {
				t.Errorf("%s is to be surveyed, but kube/resources.go does not list %s", o.Kind, o.Resource())
			}
		}
	}
}
