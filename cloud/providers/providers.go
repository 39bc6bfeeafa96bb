// Package providers lists the clouds whose documents are read. A new one is added here.
package providers

import (
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/aws"
	"github.com/nodetriage/nodetriage/cloud/azure/documents"
)

// Decoders are those of all clouds, in the order in which they are asked whether a document is theirs.
func Decoders() []cloud.Decoder {
	return []cloud.Decoder{documents.Decoder{}, aws.Decoder{}}
}
