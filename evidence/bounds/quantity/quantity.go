// Package quantity parses quantities of resources that strangers wrote. It is apart from package bounds because the agent, which stays
// small, links that one and no types of Kubernetes.
package quantity

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Parse parses a quantity whatever its exponent and length. resource.ParseQuantity computes 10 to the power of the exponent, so
// "1e-2147483648" keeps it busy for hours.
func Parse(text string) (resource.Quantity, error) {
	return resource.ParseQuantity(bounds.Quantity(text))
}
