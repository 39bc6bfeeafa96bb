package faulty

import (
	"context"
	"fmt"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// Count returns the number of objects in a list.
func Count(ctx context.Context, client rest.Interface, r Read) (int, error) {
	req := client.Get().AbsPath(r.path)
	for name, value := range map[string]string{"labelSelector": r.labels, "fieldSelector": r.fields} {
		if value != "" {
			req = req.Param(name, value)
		}
	}
	body, err := req.DoRaw(ctx)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", r, err)
	}
	list, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", r, err)
	}
	return apimeta.LenList(list), nil
}
