// Package providers lists the supported clouds. Add a new cloud here.
package providers

import (
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/aws"
	"github.com/nodetriage/nodetriage/cloud/azure/documents"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/objects"
	"github.com/nodetriage/nodetriage/cloud/capi"
)

// Decoders returns the decoders of all clouds, in the order in which they are tried.
func Decoders() []cloud.Decoder {
	return []cloud.Decoder{documents.Decoder{}, aws.Decoder{}, capi.Decoder{}, objects.Decoder{}}
}

// Guides returns the guides of all clouds.
func Guides() []cloud.Guide { return []cloud.Guide{documents.Decoder{}, aws.Decoder{}} }

// Place returns the location of the machine with this provider ID. It is empty for other clouds.
func Place(providerID string) cloud.Place {
	for _, g := range Guides() {
		if p, ok := g.Place(providerID); ok {
			return p
		}
	}
	return cloud.Place{}
}

// Asking returns the commands that show the cloud resources of these nodes. It is empty for other clouds.
func Asking(about cloud.Scope) cloud.Asking {
	for _, g := range Guides() {
		if ask, ok := g.Asking(about); ok {
			return ask
		}
	}
	return cloud.Asking{}
}

// Objects returns the custom resources in which clouds store state of a cluster with machines of these provider IDs.
func Objects(providerIDs []string) []cloud.Object { return objects.Resources(providerIDs) }
