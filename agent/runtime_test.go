package agent

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/test/bufconn"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// standIn is a fake container runtime.
type standIn struct {
	cri.UnimplementedRuntimeServiceServer
	cri.UnimplementedImageServiceServer
	hangAt   string
	notReady bool
	image    bool
	release  chan struct{}
}

func (s *standIn) hang(ctx context.Context, call string) {
	if s.hangAt == call {
		<-s.release // ignores ctx like a deadlock
	}
}

func (s *standIn) Version(ctx context.Context, _ *cri.VersionRequest) (*cri.VersionResponse, error) {
	time.Sleep(time.Millisecond) // on the fake clock, which stands still otherwise
	s.hang(ctx, "Version")
	return &cri.VersionResponse{RuntimeName: "containerd", RuntimeVersion: "v2.4.2"}, nil
}

func (s *standIn) Status(ctx context.Context, _ *cri.StatusRequest) (*cri.StatusResponse, error) {
	network := &cri.RuntimeCondition{Type: cri.NetworkReady, Status: !s.notReady}
	if s.notReady {
		network.Reason, network.Message = "NetworkPluginNotReady", "Network plugin returns error: cni plugin not initialized"
	}
	return &cri.StatusResponse{
		Status: &cri.RuntimeStatus{Conditions: []*cri.RuntimeCondition{{Type: cri.RuntimeReady, Status: true}, network}},
		Info:   map[string]string{"config": `{"sandboxImage":"registry.k8s.io/pause:3.10"}`},
	}, nil
}

func (s *standIn) ListPodSandbox(ctx context.Context, _ *cri.ListPodSandboxRequest) (*cri.ListPodSandboxResponse, error) {
	s.hang(ctx, "ListPodSandbox")
	return &cri.ListPodSandboxResponse{Items: []*cri.PodSandbox{{
		Metadata: &cri.PodSandboxMetadata{Name: "web-0", Namespace: "shop", Attempt: 1}, State: cri.PodSandboxState_SANDBOX_READY,
	}}}, nil
}

func (s *standIn) ListContainers(context.Context, *cri.ListContainersRequest) (*cri.ListContainersResponse, error) {
	return &cri.ListContainersResponse{Containers: []*cri.Container{{
		Metadata: &cri.ContainerMetadata{Name: "web", Attempt: 3}, State: cri.ContainerState_CONTAINER_EXITED,
		Image: &cri.ImageSpec{UserSpecifiedImage: "web:1"}, Labels: map[string]string{"io.kubernetes.pod.name": "web-0"},
	}}}, nil
}

func (s *standIn) ImageFsInfo(context.Context, *cri.ImageFsInfoRequest) (*cri.ImageFsInfoResponse, error) {
	return &cri.ImageFsInfoResponse{}, nil
}

func (s *standIn) ImageStatus(context.Context, *cri.ImageStatusRequest) (*cri.ImageStatusResponse, error) {
	if s.image {
		return &cri.ImageStatusResponse{Image: &cri.Image{Id: "sha256:1"}}, nil
	}
	return &cri.ImageStatusResponse{}, nil
}

// socketHost returns a node with only a folder for sockets. Socket paths must be short.
func socketHost(t *testing.T) (*Host, string) {
	t.Helper()
	root, err := os.MkdirTemp("", "n")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	dir := filepath.Join(root, "run/containerd")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h := newHost(Options{Root: root, Since: time.Hour, Signatures: builtin(t)}, folderSystem(), newAbsent())
	h.timeouts = ample
	return h, filepath.Join(dir, "containerd.sock")
}

// askServer queries an in-memory server and returns the duration on the fake clock, which advances only while all
// goroutines wait. A slow machine therefore adds no time.
func askServer(t *testing.T, server *grpc.Server) (rt *nodereport.Runtime, took time.Duration) {
	t.Helper()
	h, _ := socketHost(t)
	write(t, h, "/run/containerd/containerd.sock", "")
	l := bufconn.Listen(1 << 16)
	h.system.dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return l.DialContext(ctx) }
	go func() { _ = server.Serve(l) }()
	start, r := time.Now(), &nodereport.Report{}
	if err := runtimeAnswers(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	return r.Runtime, time.Since(start)
}

func askStandIn(t *testing.T, s *standIn) (rt *nodereport.Runtime, took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.release = make(chan struct{})
		server := grpc.NewServer()
		cri.RegisterRuntimeServiceServer(server, s)
		cri.RegisterImageServiceServer(server, s)
		t.Cleanup(func() { close(s.release); server.Stop() })
		rt, took = askServer(t, server)
	})
	return rt, took
}

func TestRuntimeAnswers(t *testing.T) {
	t.Parallel()
	rt, _ := askStandIn(t, &standIn{image: true})
	if rt.Answer != "ok" || rt.Name != "containerd" || rt.Version != "v2.4.2" || rt.Latency != time.Millisecond || !*rt.RuntimeReady || !*rt.NetworkReady {
		t.Errorf("a healthy runtime: %+v", rt)
	}
	if len(rt.Sandboxes) != 1 || rt.Sandboxes[0] != (nodereport.Sandbox{Name: "web-0", Namespace: "shop", State: "Ready", Attempt: 1}) {
		t.Errorf("sandboxes: %+v", rt.Sandboxes)
	}
	if len(rt.Containers) != 1 || rt.Containers[0].State != "Exited" || rt.Containers[0].Pod != "web-0" {
		t.Errorf("containers: %+v", rt.Containers)
	}
	if rt.SandboxImage != "registry.k8s.io/pause:3.10" || rt.SandboxImagePresent == nil || !*rt.SandboxImagePresent || rt.ImageStore != "ok" {
		t.Errorf("images: %+v", rt)
	}
}

func TestRuntimeWithoutNetworkAndImage(t *testing.T) {
	t.Parallel()
	rt, _ := askStandIn(t, &standIn{notReady: true})
	if *rt.NetworkReady || !strings.Contains(rt.Message, "cni plugin not initialized") {
		t.Errorf("network: %+v", rt)
	}
	if rt.SandboxImagePresent == nil || *rt.SandboxImagePresent {
		t.Errorf("the image of the sandboxes is not there, but it says %v", rt.SandboxImagePresent)
	}
}

func TestRuntimeHangs(t *testing.T) {
	for _, call := range []string{"Version", "ListPodSandbox"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			rt, took := askStandIn(t, &standIn{hangAt: call})
			if rt.Answer != "hung" || !strings.Contains(rt.Message, " call "+call+" ") || rt.Latency < criCall || rt.Latency >= 2*criCall {
				t.Errorf("it says %q after %s: %s", rt.Answer, rt.Latency, rt.Message)
			}
			if took >= 2*criCall {
				t.Errorf("it took %s, although the first call told everything", took)
			}
		})
	}
}

// A stopped process does not answer, but the kernel still accepts its connections.
func TestRuntimeStopped(t *testing.T) {
	t.Parallel()
	h, socket := socketHost(t)
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := &nodereport.Report{}
	if err := runtimeAnswers(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	if r.Runtime.Answer != "hung" || r.Runtime.Latency < criCall {
		t.Errorf("it says %q after %s", r.Runtime.Answer, r.Runtime.Latency)
	}
}

func TestRuntimeGone(t *testing.T) {
	t.Parallel()
	h, socket := socketHost(t)
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // the process died and left its socket
	l.Close()
	r := &nodereport.Report{}
	if err := runtimeAnswers(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	if r.Runtime.Answer != "refused" {
		t.Errorf("it says %q: %s", r.Runtime.Answer, r.Runtime.Message)
	}
}

func TestRuntimeWithoutCRI(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := grpc.NewServer()
		t.Cleanup(server.Stop)
		rt, _ := askServer(t, server)
		if rt.Answer != "unimplemented" || !strings.Contains(rt.Message, "runtime.v1.RuntimeService") {
			t.Errorf("it says %q: %s", rt.Answer, rt.Message)
		}
	})
}

func TestNoRuntime(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	if err := runtimeAnswers(t.Context(), h, &nodereport.Report{}); err == nil {
		t.Error("without any socket it must say that it could not ask")
	}
}
