package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	criCall  = 5 * time.Second // per call; a healthy runtime takes milliseconds
	criLimit = 15 * time.Second
	// The kubelet accepts 16 MiB per message (kubernetes staging/src/k8s.io/cri-client/pkg/remote_runtime.go, 1.36.3).
	criMessage = 16 << 20
	maxListed  = 500
)

// runtimeAnswers sends the CRI requests of the kubelet to the container runtime: version, status, sandboxes,
// containers, image store, sandbox image. Each call has a deadline of 5 s. A timeout is a finding, not a failure of the
// probe, and ends the requests.
func runtimeAnswers(ctx context.Context, h *Host, r *nodereport.Report) error {
	s := h.kubelet()
	if s.endpoint == "" {
		return errors.New("no container runtime socket found in the usual places or in the kubelet's configuration")
	}
	socket, ok := strings.CutPrefix(s.endpoint, "unix://")
	if !ok {
		socket = s.endpoint
	}
	p, err := h.path(socket)
	if err != nil {
		return err
	}
	rt := &nodereport.Runtime{Endpoint: s.endpoint}
	dial := func(ctx context.Context, _ string) (net.Conn, error) { return h.system.dial(ctx, "unix", p) }
	raw, err := dial(ctx, "")
	switch {
	case err == nil:
		raw.Close()
	case errors.Is(err, syscall.EAGAIN): // the accept queue is full
		rt.Answer, rt.Message = "hung", "it does not accept connections: "+bareDial(err).Error()
		r.Runtime = rt
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("connect to %s: %w", s.endpoint, fs.ErrPermission)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		rt.Answer, rt.Message = "refused", bareDial(err).Error()
		r.Runtime = rt
		return nil
	default:
		return fmt.Errorf("connect to %s: %w", s.endpoint, bareDial(err))
	}
	conn, err := grpc.NewClient("passthrough:///runtime", grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(dial),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(criMessage)), grpc.WithDisableServiceConfig(), grpc.WithAuthority("localhost"))
	if err != nil {
		return fmt.Errorf("connect to %s: %w", s.endpoint, err)
	}
	defer conn.Close()
	r.Runtime = rt
	ask := asker{ctx: ctx, rt: rt}
	askRuntime(&ask, cri.NewRuntimeServiceClient(conn))
	if rt.Answer == "ok" {
		askImages(ctx, h, rt, cri.NewImageServiceClient(conn), r)
	}
	rt.Ref = strings.TrimSuffix(fmt.Sprintf("CRI %s: %s after %s: %s", rt.Endpoint, rt.Answer, rt.Latency.Round(time.Millisecond), rt.Message), ": ")
	return nil
}

// asker makes calls until one fails, and records the slowest.
type asker struct {
	ctx context.Context
	rt  *nodereport.Runtime
}

// call reports whether the call succeeded.
func (a *asker) call(name string, do func(context.Context) error) bool {
	start := time.Now() // before the deadline is set, so a timeout is never shorter than the limit
	ctx, cancel := context.WithTimeout(a.ctx, criCall)
	defer cancel()
	err := do(ctx)
	took := time.Since(start).Round(time.Microsecond)
	a.rt.Latency = max(a.rt.Latency, took)
	if err == nil {
		a.rt.Answer = "ok"
		return true
	}
	a.rt.Latency = took
	switch status.Code(err) {
	case codes.DeadlineExceeded:
		a.rt.Answer, a.rt.Message = "hung", fmt.Sprintf("the CRI call %s did not return within %s", name, criCall)
	case codes.Unimplemented:
		a.rt.Answer, a.rt.Message = "unimplemented", wording.Cut(name+": "+status.Convert(err).Message(), 500)
	default:
		a.rt.Answer, a.rt.Message = "error", wording.Cut(name+": "+status.Convert(err).Message(), 500)
	}
	return false
}

// askRuntime makes the calls of crictl version, info, pods and ps.
func askRuntime(a *asker, client cri.RuntimeServiceClient) {
	rt := a.rt
	ok := a.call("Version", func(ctx context.Context) error {
		v, err := client.Version(ctx, &cri.VersionRequest{})
		rt.Name, rt.Version = wording.Cut(v.GetRuntimeName(), 100), wording.Cut(v.GetRuntimeVersion(), 100)
		return err
	})
	ok = ok && a.call("Status", func(ctx context.Context) error {
		s, err := client.Status(ctx, &cri.StatusRequest{Verbose: true})
		for _, c := range s.GetStatus().GetConditions() {
			value := c.GetStatus()
			switch c.GetType() {
			case cri.RuntimeReady:
				rt.RuntimeReady = &value
			case cri.NetworkReady:
				rt.NetworkReady = &value
			}
			if !value && rt.Message == "" {
				rt.Message = wording.Cut(strings.TrimSpace(c.GetReason()+" "+c.GetMessage()), 500)
			}
		}
		rt.SandboxImage = sandboxImageOf(s.GetInfo()["config"])
		return err
	})
	ok = ok && a.call("ListPodSandbox", func(ctx context.Context) error {
		list, err := client.ListPodSandbox(ctx, &cri.ListPodSandboxRequest{})
		for _, s := range list.GetItems() {
			if len(rt.Sandboxes) == maxListed {
				break
			}
			state := "NotReady"
			if s.GetState() == cri.PodSandboxState_SANDBOX_READY {
				state = "Ready"
			}
			m := s.GetMetadata()
			rt.Sandboxes = append(rt.Sandboxes, nodereport.Sandbox{Name: wording.Cut(m.GetName(), 253), Namespace: wording.Cut(m.GetNamespace(), 63), State: state, Attempt: int(m.GetAttempt())})
		}
		return err
	})
	_ = ok && a.call("ListContainers", func(ctx context.Context) error {
		list, err := client.ListContainers(ctx, &cri.ListContainersRequest{})
		for _, c := range list.GetContainers() {
			if len(rt.Containers) == maxListed {
				break
			}
			state := strings.TrimPrefix(c.GetState().String(), "CONTAINER_")
			state = state[:1] + strings.ToLower(state[1:])
			rt.Containers = append(rt.Containers, nodereport.Container{
				Name: wording.Cut(c.GetMetadata().GetName(), 253), Pod: wording.Cut(c.GetLabels()["io.kubernetes.pod.name"], 253),
				Image: wording.Cut(c.GetImage().GetUserSpecifiedImage(), 300), State: state, Attempt: int(c.GetMetadata().GetAttempt()),
			})
		}
		return err
	})
}

// askImages checks whether the image store responds and has the sandbox image.
func askImages(ctx context.Context, h *Host, rt *nodereport.Runtime, client cri.ImageServiceClient, r *nodereport.Report) {
	ask := func(do func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(ctx, criCall)
		defer cancel()
		return do(ctx)
	}
	err := ask(func(ctx context.Context) error {
		info, err := client.ImageFsInfo(ctx, &cri.ImageFsInfoRequest{})
		for _, f := range info.GetImageFilesystems() {
			if len(rt.Stores) < 10 {
				rt.Stores = append(rt.Stores, nodereport.ImageStore{Folder: wording.Cut(f.GetFsId().GetMountpoint(), 300), Bytes: f.GetUsedBytes().GetValue(), Inodes: f.GetInodesUsed().GetValue()})
			}
		}
		return err
	})
	rt.ImageStore = "ok"
	if err != nil {
		rt.ImageStore = wording.Cut("ImageFsInfo: "+status.Convert(err).Message(), 500)
	}
	if rt.SandboxImage == "" {
		rt.SandboxImage = h.sandboxImage()
	}
	if rt.SandboxImage == "" {
		return
	}
	err = ask(func(ctx context.Context) error {
		s, err := client.ImageStatus(ctx, &cri.ImageStatusRequest{Image: &cri.ImageSpec{Image: rt.SandboxImage}})
		if err == nil {
			present := s.GetImage() != nil
			rt.SandboxImagePresent = &present
			if present {
				pinned := s.GetImage().GetPinned()
				rt.SandboxImagePinned = &pinned
			}
		}
		return err
	})
	if err != nil {
		gap(r, "sandbox image "+rt.SandboxImage, errors.New(status.Convert(err).Message()), shell.Format("crictl inspecti {image}", rt.SandboxImage))
	}
}

// sandboxImageOf returns the image from the configuration that containerd 1.x reports.
func sandboxImageOf(config string) string {
	var c struct {
		SandboxImage string `json:"sandboxImage"`
	}
	if json.Unmarshal([]byte(config), &c) != nil {
		return ""
	}
	return wording.Cut(c.SandboxImage, 300)
}
