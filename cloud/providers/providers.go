// Package providers lists the clouds whose documents are read. A new one is added here.
package providers

import (
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/aws"
	"github.com/nodetriage/nodetriage/cloud/azure/documents"
	"github.com/nodetriage/nodetriage/cloud/capi"
)

// Decoders are those of all clouds, in the order in which they are asked whether a document is theirs.
func Decoders() []cloud.Decoder {
	return []cloud.Decoder{documents.Decoder{}, aws.Decoder{}, capi.Decoder{}}
}

// Guides are those of all clouds.
func Guides() []cloud.Guide { return []cloud.Guide{documents.Decoder{}, aws.Decoder{}} }

// Place is where the machine with that provider id lies; nothing is known of other clouds.
func Place(providerID string) cloud.Place {
	for _, g := range Guides() {
		if p, ok := g.Place(providerID); ok {
			return p
		}
	}
	return cloud.Place{}
}

// Asking are the commands by which people see what the cloud of these nodes knows; none for other clouds.
func Asking(about cloud.Scope) cloud.Asking {
	for _, g := range Guides() {
		if ask, ok := g.Asking(about); ok {
			return ask
		}
	}
	return cloud.Asking{}
}
