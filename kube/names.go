package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Resources that are read only for names. The server returns only their metadata.
var (
	NodeNames      = named("", "v1", "nodes", clusterWide)
	PodNames       = named("", "v1", "pods", namespaced)
	NamespaceNames = named("", "v1", "namespaces", clusterWide)
)

// Named is the metadata of an object of any kind.
type Named = metav1.PartialObjectMetadata

func named(group, version, name string, inNamespace bool) Resource[Named] {
	r := define[Named](group, version, name, inNamespace)
	r.metadata = true
	return r
}

// Names reads the metadata of all objects of a resource from the watch cache.
func Names(ctx context.Context, r *Reader, res Resource[Named], namespace string) ([]Named, error) {
	var out []Named
	_, err := List(ctx, r, res, Query{Namespace: namespace, FromCache: true}, func(page []Named) error {
		out = append(out, page...)
		return nil
	})
	return out, err
}

// accept returns the Accept header for lists of the resource.
func (r Resource[T]) accept() string {
	if r.metadata {
		const as = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
		return "application/vnd.kubernetes.protobuf" + as + ",application/json" + as
	}
	return accept
}
