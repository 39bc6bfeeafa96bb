package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	writers   = 64
	batchSize = 100 // puts of one transaction; the maximum of etcd is 128
)

// record is an object with its key in etcd.
type record struct {
	key string
	obj runtime.Object
}

// Store is the etcd of a control plane.
type Store struct {
	client *clientv3.Client
	codec  *protobuf.Serializer
}

// Open connects to the etcd at that address.
func Open(endpoint string, config *tls.Config) (*Store, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, TLS: config})
	if err != nil {
		return nil, fmt.Errorf("connect to etcd at %s: %w", endpoint, err)
	}
	return &Store{client: client, codec: protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)}, nil
}

// Close ends the connection.
func (s *Store) Close() error { return s.client.Close() }

// write stores all records of the sequence, in parallel and without order.
func (s *Store) write(ctx context.Context, records func(yield func(record) bool)) (int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	batches := make(chan []record)
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			for batch := range batches {
				if err := s.put(ctx, batch); err != nil {
					cancel(err)
				}
			}
		})
	}
	n := 0
	var batch []record
	flush := func() bool {
		if len(batch) == 0 {
			return true
		}
		select {
		case batches <- batch:
			n += len(batch)
			batch = nil
			return true
		case <-ctx.Done():
			return false
		}
	}
	for r := range records {
		if batch = append(batch, r); len(batch) == batchSize && !flush() {
			break
		}
	}
	flush()
	close(batches)
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return n, err
	}
	// All objects of a transaction have one revision, so a consistent read may see only some of them. After one more
	// revision, the read waits for all of them.
	if _, err := s.client.Put(ctx, "/nodetriage-lab/written", ""); err != nil {
		return n, fmt.Errorf("mark the end of %d objects: %w", n, err)
	}
	return n, nil
}

func (s *Store) put(ctx context.Context, batch []record) error {
	ops := make([]clientv3.Op, 0, len(batch))
	for _, r := range batch {
		var value bytes.Buffer
		if err := s.codec.Encode(r.obj, &value); err != nil {
			return fmt.Errorf("encode %s: %w", r.key, err)
		}
		ops = append(ops, clientv3.OpPut(r.key, value.String()))
	}
	if _, err := s.client.Txn(ctx).Then(ops...).Commit(); err != nil {
		return fmt.Errorf("write %d objects from %s on: %w", len(batch), batch[0].key, err)
	}
	return nil
}
