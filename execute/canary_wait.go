package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/wording"
)

// placing is the timeout for scheduling. A scheduler usually decides at once.
const placing = 20 * time.Second

// wait polls the pod until the condition is true. After the timeout it returns the last reason of the condition.
func (c *canary) wait(ctx context.Context, name string, within time.Duration, is func(*corev1.Pod) (bool, string, error)) (*corev1.Pod, error) {
	if within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	begin, still := time.Now(), "no answer"
	for {
		pod, err := kube.Get(ctx, c.opt.Reader, kube.Pods, c.opt.Namespace, name)
		switch {
		case kube.ReasonOf(err) == kube.NotFound:
			return nil, fmt.Errorf("pod %s was deleted by someone else", name)
		case err == nil:
			so, waits, err := is(pod)
			if so || err != nil {
				return pod, err
			}
			still = waits
		}
		if !pause(ctx, look) {
			if errors.Is(context.Cause(ctx), context.Canceled) {
				return nil, fmt.Errorf("interrupted after %s: %s", time.Since(begin).Round(time.Second/10), still)
			}
			return nil, fmt.Errorf("not within %s: %s", time.Since(begin).Round(time.Second), still)
		}
	}
}

// isPlaced reports whether the pod is scheduled.
func isPlaced(pod *corev1.Pod) (bool, string, error) {
	for _, cond := range pod.Status.Conditions {
		if cond.Type == corev1.PodScheduled {
			if cond.Status == corev1.ConditionTrue {
				return true, "", nil
			}
			return false, "scheduler: " + cond.Message, nil
		}
	}
	return false, "no scheduler has handled it", nil
}

// isStarted reports whether every container has started. It fails early if an image cannot be pulled.
func isStarted(pod *corev1.Pod) (bool, string, error) {
	if pod.Status.Phase == corev1.PodFailed && len(pod.Status.ContainerStatuses) == 0 {
		return false, "", fmt.Errorf("the node rejected it: %s: %s", pod.Status.Reason, pod.Status.Message)
	}
	if placed, waits, _ := isPlaced(pod); !placed {
		return false, waits, nil
	}
	if len(pod.Status.ContainerStatuses) < len(pod.Spec.Containers) {
		return false, "its node has not started it", nil
	}
	for _, s := range pod.Status.ContainerStatuses {
		w := s.State.Waiting
		if w == nil {
			continue
		}
		text := strings.TrimSuffix(fmt.Sprintf("container %s: %s: %s", s.Name, w.Reason, w.Message), ": ")
		switch w.Reason {
		case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull":
			return false, "", fmt.Errorf("%s; name an image that the node can pull with --canary-image", text)
		case "CreateContainerError", "RunContainerError", "CreateContainerConfigError":
			return false, "", errors.New(text)
		}
		return false, text, nil
	}
	if pod.Status.PodIP == "" {
		return false, "it has no IP address", nil
	}
	return true, "", nil
}

// report waits for the end of a check and adds its step.
func (c *canary) report(ctx context.Context, pod, id, container, well string) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		c.unknown(id, fmt.Sprintf("not checked: the canary's time limit of %s was reached", wording.Duration(c.opt.Timeout)))
		return
	}
	begin := time.Now()
	var end *corev1.ContainerStateTerminated
	_, err := c.wait(ctx, pod, 0, func(p *corev1.Pod) (bool, string, error) {
		for _, s := range p.Status.ContainerStatuses {
			if s.Name == container && s.State.Terminated != nil {
				end = s.State.Terminated
				return true, "", nil
			}
		}
		if _, waits, err := isStarted(p); err != nil || waits != "" {
			return false, waits, err
		}
		return false, "it has not finished", nil
	})
	if err != nil {
		result := c.failed(ctx, err)
		if container == "caller" {
			result = verify.Unknown // a fault of the other node
		}
		c.step(id, result, time.Since(begin), err.Error())
		return
	}
	var hundredths, tries int
	if end.ExitCode != 0 {
		c.step(id, verify.NotClear, end.FinishedAt.Sub(end.StartedAt.Time), strings.Join(strings.Fields(end.Message), " "))
		return
	}
	if n, _ := fmt.Sscan(end.Message, &hundredths, &tries); n == 2 && tries > 1 {
		well += fmt.Sprintf(", at try %d", tries)
	}
	c.step(id, verify.Clear, max(time.Duration(hundredths)*10*time.Millisecond, 10*time.Millisecond), well)
}

// lastEvent returns the newest warning event of a pod, which shows why a node does not start it.
func (c *canary) lastEvent(ctx context.Context, pod string) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var last corev1.Event
	q := kube.Query{Namespace: c.opt.Namespace, Fields: fields.Set{"involvedObject.name": pod, "type": corev1.EventTypeWarning}.AsSelector().String()}
	_, err := kube.List(ctx, c.opt.Reader, kube.Events, q, func(page []corev1.Event) error {
		for _, e := range page {
			if !e.LastTimestamp.Before(&last.LastTimestamp) {
				last = e
			}
		}
		return nil
	})
	if err != nil || last.Reason == "" {
		return ""
	}
	return "; " + last.Reason + ": " + last.Message
}
