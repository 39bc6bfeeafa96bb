package load

import (
	"cmp"
	"context"
	"fmt"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// Put stores objects of the built-in kinds without changes: with their status, times and UIDs. Objects without a UID
// get one.
func (s *Store) Put(ctx context.Context, objects ...runtime.Object) error {
	var records []record
	for _, o := range objects {
		m, err := apimeta.Accessor(o)
		if err != nil {
			return fmt.Errorf("store an object: %w", err)
		}
		if m.GetUID() == "" {
			m.SetUID(uid(m.GetNamespace() + "/" + m.GetName()))
		}
		folder, err := folderOf(o)
		if err != nil {
			return fmt.Errorf("store %s: %w", m.GetName(), err)
		}
		key := "/registry/" + folder + "/"
		if m.GetNamespace() != "" {
			key += m.GetNamespace() + "/"
		}
		records = append(records, record{key + m.GetName(), o})
	}
	_, err := s.write(ctx, func(yield func(record) bool) {
		for _, r := range records {
			if !yield(r) {
				return
			}
		}
	})
	return err
}

// oldFolders are resources that the API server stores under another name (kubernetes
// pkg/kubeapiserver/default_storage_factory_builder.go, SpecialDefaultResourcePrefixes, v1.36.3).
var oldFolders = map[string]string{"nodes": "minions", "replicationcontrollers": "controllers", "services": "services/specs", "endpoints": "services/endpoints"}

// folderOf returns the etcd prefix of objects of that kind.
func folderOf(o runtime.Object) (string, error) {
	kind := o.GetObjectKind().GroupVersionKind()
	if kind.Empty() {
		return "", fmt.Errorf("the object of type %T names no kind", o)
	}
	plural, _ := apimeta.UnsafeGuessKindToResource(kind)
	return cmp.Or(oldFolders[plural.Resource], plural.Resource), nil
}
