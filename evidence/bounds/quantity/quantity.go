// Package quantity parses untrusted resource quantities. It is separate from package bounds because the agent links
// that package without Kubernetes types to stay small.
package quantity

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Parse parses a quantity with any exponent and length. resource.ParseQuantity computes 10 to the power of the
// exponent, so "1e-2147483648" keeps it busy for hours.
func Parse(text string) (resource.Quantity, error) {
	return resource.ParseQuantity(bounds.Quantity(text))
}
