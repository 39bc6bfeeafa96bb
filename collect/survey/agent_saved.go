package survey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/kube"
)

// Saved reads which archives the agent on the node keeps, also one that does not run any more: they are as they were. There are none
// where no agent is. The error is about the way to the node.
func Saved(ctx context.Context, r *kube.Reader, node string, opt Options) (saved []nodereport.Saved, err error) {
	opt = opt.withDefaults()
	return saved, said(r.NodeProxy(ctx, node, agentReport, opt.ProbeTimeout, collect.MaxAgentReport, func(a kube.NodeAnswer) error {
		if a.Status == http.StatusOK {
			saved = collect.SavedOf(a.Body)
		}
		return nil
	}))
}

// Unfit is why an archive cannot be fetched, by what the report says of it; nil: nothing speaks against it.
func Unfit(s nodereport.Saved) error {
	if _, ok := nodereport.SavedAt(s.File); !ok {
		return errors.New("it has a name that no agent gives")
	}
	switch {
	case s.Bytes <= 0:
		return errors.New("the agent's report does not tell its size")
	case s.Bytes > nodereport.MaxSaved:
		return fmt.Errorf("its %d bytes are more than the %d that an agent saves", s.Bytes, nodereport.MaxSaved)
	}
	return nil
}

// FetchSaved copies an archive of the agent on the node: with nil, all of it. A node that does not begin to answer costs no more than
// any other question to a kubelet.
func FetchSaved(ctx context.Context, r *kube.Reader, node string, s nodereport.Saved, to io.Writer, opt Options) error {
	if err := Unfit(s); err != nil {
		return err
	}
	opt = opt.withDefaults()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	begins := time.AfterFunc(opt.ProbeTimeout, func() { end(errSilent) })
	defer begins.Stop()
	err := r.NodeProxy(ctx, node, agentFolder+s.File, opt.ProbeTimeout+opt.download, s.Bytes, func(a kube.NodeAnswer) error {
		begins.Stop()
		if a.Status != http.StatusOK {
			return fmt.Errorf("the kubelet answered HTTP %d", a.Status)
		}
		n, err := io.Copy(to, a.Body)
		switch {
		case errors.Is(err, kube.ErrTooLong):
			return fmt.Errorf("it is longer than the %d bytes that the agent's report tells", s.Bytes)
		case err == nil && n != s.Bytes:
			return fmt.Errorf("it has %d bytes, and the agent's report tells %d", n, s.Bytes)
		}
		return err
	})
	if why := context.Cause(ctx); err != nil && why != nil {
		return why
	}
	return said(err)
}

var errSilent = errors.New("no answer through the API server in time")

// said is an error on the way to a kubelet without what the caller names.
func said(err error) error {
	var e *kube.Error
	if errors.As(err, &e) {
		return errors.New(wayError(e))
	}
	return err
}
