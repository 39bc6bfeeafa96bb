package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/evidence"
)

// The matched part of a line is never cut, at any position and for any width.
func TestExcerptKeepsTheHit(t *testing.T) {
	hits := []string{
		"x509: certificate has expired", "one", "größer als erlaubt: ноль", "https://registry.example/v2/pause/manifests/3.9?ns=registry.k8s.io",
		strings.TrimSpace(strings.Repeat("a longer hit ", 30)), strings.Repeat("nospace", 40),
	}
	for _, hit := range hits {
		for _, fill := range []string{"word ", "wörter ", "unbroken"} {
			for _, before := range []int{0, 3, 40} {
				for _, after := range []int{0, 3, 40} {
					line := strings.Repeat(fill, before) + hit + strings.Repeat(" "+fill, after)
					for n := 10; n < 400; n += 7 {
						got := excerpt(line, hit, n)
						if !strings.Contains(got, hit) {
							t.Fatalf("%d characters of %q lack %q: %q", n, line, hit, got)
						}
						if most := max(n, utf8.RuneCountInString(hit)) + 2*(len(ellipsis)+1); utf8.RuneCountInString(got) > most {
							t.Fatalf("%d characters of %q are more than %d: %q", n, line, most, got)
						}
					}
				}
			}
		}
	}
}

func TestProofKeepsTheHit(t *testing.T) {
	const line = `Nov 03 03:58:08 k3s-master k3s[260961]: time="2021-11-03T03:58:08Z" level=fatal msg="flannel exited: operation not supported"`
	for what, hit := range map[string]string{
		"in the body":                 "flannel exited: operation not supported",
		"in the head and the body":    `k3s[260961]: time="2021-11-03T03:58:08Z" level=fatal`,
		"that a bound cut off before": "this was further behind in the line",
	} {
		p := proof{Ref: evidence.Ref{Source: strings.Repeat("folder/", 30) + "k3s.log", Locator: "line 3", Text: line + strings.Repeat(" and more", 80), Hit: hit}}
		if got := p.says(190); !strings.Contains(got, hit) {
			t.Errorf("a hit %s is not shown: %q", what, got)
		}
		if got := p.brief(146); !strings.Contains(got, hit) || utf8.RuneCountInString(got) > 146 {
			t.Errorf("a hit %s is not shown in two rows: %d characters, %q", what, utf8.RuneCountInString(got), got)
		}
	}
}

// Two rows stay two rows, even for a longer hit.
func TestBriefProofIsBounded(t *testing.T) {
	p := proof{Ref: evidence.Ref{Source: "kubelet.log", Locator: "line 3", Text: strings.Repeat("much ", 200), Hit: strings.TrimSpace(strings.Repeat("much ", 150))}}
	if got := p.brief(146); utf8.RuneCountInString(got) > 146 || !strings.HasPrefix(got, "kubelet.log line 3: ") {
		t.Errorf("%d characters: %q", utf8.RuneCountInString(got), got)
	}
}

// The decisive part is never cut: the innermost error with the operation before it, and a negation.
func TestExcerptKeepsWhatDecides(t *testing.T) {
	for name, c := range map[string]struct{ line, hit, want string }{
		"a negation": {
			`Operation for "{volumeName:kubernetes.io/csi/driver.longhorn.io^pvc-b23fce3b-cada-43a9-89b8-2eb9b97e39c9}" failed. No retries permitted until 2024-06-28 20:42:39 (durationBeforeRetry 2m2s). Error: UnmountVolume.TearDown failed for volume "mysql-volume" (UniqueName: "x") : kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: driver name driver.longhorn.io not found in the list of registered CSI drivers`,
			`UnmountVolume.TearDown failed for volume "mysql-volume"`, "not found in the list of registered CSI drivers",
		},
		"the operation before an error of the system": {
			`failed to read pod IP from plugin/docker: NetworkPlugin cni failed on the status hook for pod "zookeeper-1-10.x.xx.xx_default": Unexpected command output nsenter: failed to execute ip: No such file or directory`,
			"NetworkPlugin cni failed on the status hook for pod", "failed to execute ip: No such file or directory",
		},
		"a message before ids and times": {
			`Failed to refresh the Token for request to https://management.azure.com/subscriptions/0/resourceGroups/g/providers/Microsoft.Storage/storageAccounts: StatusCode=401 -- Original Error: adal: Refresh request failed. Status Code = '401'. Response body: {"error":"invalid_client","error_description":"AADSTS7000222: The provided client secret keys are expired.\r\nTrace ID: 4fce761e-2351-453e-a984-aeda7b821500\r\nCorrelation ID: 6c99349b-4a43-4bbb-982d-055b3f585b67\r\nTimestamp: 2019-12-16 09:45:32Z","error_codes":[7000222],"timestamp":"2019-12-16 09:45:32Z"}`,
			"StatusCode=401 -- Original Error", "AADSTS7000222: The provided client secret keys are expired.",
		},
		"what a decoder expects and found": {
			`failed to load Kubelet config file /var/lib/kubelet/config.yaml, error failed to decode: v1beta1.KubeletConfiguration.CgroupsPerQOS: CgroupDriver: ReadString: expects " or n, but found 1, error found in #10 byte of ...|pDriver":1,"kind"|..., bigger context ...|{"apiVersion":"kubelet.config.k8s.io/v1beta1","cgroupDriver":1,"kind":"KubeletConfiguration"}|...`,
			"failed to load Kubelet config file /var/lib/kubelet/config.yaml", `CgroupDriver: ReadString: expects " or n, but found 1`,
		},
		"a refusal without a hit": {
			`Error: Node pool version 1.x.y and control plane version 1.a.b are incompatible. Minor version of node pool cannot be more than 2 versions less than control plane's version. Minor version of node pool is x and control plane is a. For more information, please check https://aka.ms/version-skew-policy.`,
			"", "Minor version of node pool cannot be more than 2 versions less than control plane's version.",
		},
	} {
		if got := excerpt(c.line, c.hit, 200); !strings.Contains(got, c.want) || !strings.Contains(got, c.hit) {
			t.Errorf("%s: %q lacks %q", name, got, c.want)
		}
	}
}

// The reason at the end of a message is shown, and the end of a name in the middle of it. What happens next is no reason.
func TestExcerptKeepsTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		text, hit string
		n         int
		want      []string
	}{
		"a retry": {"error syncing 'ip-10-0-144-157': failed to get provider ID for node ip-10-0-144-157 at cloudprovider: failed to get instance ID from cloud provider: instance not found, requeuing",
			"error syncing 'ip-10-0-144-157': failed to get provider ID", 150, []string{"instance not found"}},
		"a long hit": {`error when evicting pods/"argocd-redis-d486999b7-sgptn" -n "argocd": admission webhook "mpodseviction.pod-graceful-drain.io" denied the request: no kind "Eviction" is registered for version "policy/v1"`,
			`evicting pods/"argocd-redis-d486999b7-sgptn" -n "argocd": admission webhook "mpodseviction.pod-graceful-drain.io" denied the request`, 150, []string{`no kind "Eviction" is registered`}},
		"a long name": {`failed to recover state: failed to reserve sandbox name "metrics-server-5cbbc84f8c-wn7z6_kube-system_8d0b2e1f-0c4a-11e9-9a3e-0050569a1111_0": the name is used`,
			"failed to recover state: failed to", 130, []string{`1111_0":`, "the name is used"}},
	} {
		p := proof{Ref: evidence.Ref{Source: "1.txt", Locator: "line 1", Text: c.text, Hit: c.hit}}
		got := p.brief(c.n)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", name, got, want)
			}
		}
	}
}
