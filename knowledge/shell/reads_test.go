package shell_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

func TestReads(t *testing.T) {
	for command, want := range map[shell.Text]bool{
		"kubectl get pods -A -o wide | grep -E 'a|b; c > d'":               true,
		"kubectl -n <webhook-namespace> get deploy,pods # on: workstation": true,
		"kubectl get nodes # prints <node>":                                true,
		"timeout 10 crictl pods":                                           true,
		"journalctl -u kubelet --no-pager 2>&1 | tail -5":                  true,
		"ip -br addr; ip route get 10.0.0.1":                               true,
		"ctr -n k8s.io images check":                                       true,
		"aws ec2 describe-instances --instance-ids i-0":                    true,
		"az vm list-skus -l westeurope -o table":                           true,
		"sysctl net.ipv4.ip_forward":                                       true,
		"nodetriage why pod/a -n b":                                        true,
		"runc --version; crun --version":                                   true,
		"timedatectl; chronyc tracking":                                    true,
		"talosctl -n 10.0.0.1 memory":                                      true,
		"conntrack -S":                                                     true,
		"conntrack -D -s 10.0.0.1":                                         false,
		"talosctl -n 10.0.0.1 reboot":                                      false,
		"timedatectl set-time 12:00":                                       false,
		"kubectl get pdb a -o yaml > a.yaml":                               false,
		"kubectl delete pod a":                                             false,
		"kubectl rollout status ds/a":                                      false,
		"kubectl get secrets -o name | xargs kubectl delete":               false,
		"ip link set eth0 down && ip link set eth0 up":                     false,
		"journalctl --vacuum-size=500M":                                    false,
		"sed -i.before 's/a/b/' /etc/fstab":                                false,
		"systemctl restart kubelet":                                        false,
		"ethtool -K eth0 tso off":                                          false,
		"find /var/log -name '*.gz' -delete":                               false,
		"# EDIT the file":                                                  false,
		"":                                                                 false,
		"crictl stop $(crictl ps -q --name kube-scheduler)":                false,
		"kubectl delete pod logs":                                          false,
		"kubectl exec web -- get":                                          false,
		"systemctl restart show":                                           false,
		"sysctl net.ipv4.ip_forward=1":                                     false,
		"sed -E -ibak s/a/b/ f":                                            false,
		"env A=b kubectl delete pod a":                                     false,
		"hostname node-1":                                                  false,
		"unknown-program --list":                                           false,
	} {
		if got := command.Reads(); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}
