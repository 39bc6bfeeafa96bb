package catalog_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/client-go/util/jsonpath"
)

// program is a program that pages may call: the places that have it (none: everywhere) and a check of its arguments.
type program struct {
	on        []string
	check     func(args []string) error
	elsewhere func(args []string) bool // calls that other places have too
}

var (
	machine = []string{"node", "control-plane"}
	cloud   = []string{"cloud-cli"}
)

var programs = func() map[string]program {
	out := map[string]program{
		"kubectl":    {[]string{"workstation"}, kubectl, ownKubeconfig},
		"nodetriage": {[]string{"workstation"}, tool("nodetriage", nodetriageCalls, ""), nil},
		"calicoctl":  {[]string{"workstation"}, nil, nil},
		"oc":         {[]string{"workstation", "control-plane"}, nil, nil},
		"talosctl":   {[]string{"workstation"}, nil, nil},
		"openstack":  {cloud, nil, nil},
		"az":         {cloud, tool("az", azCalls, ""), nil},
		"aws":        {cloud, tool("aws", awsCalls, ""), nil},
		"gcloud":     {cloud, tool("gcloud", gcloudCalls, ""), nil},
		"systemctl":  {machine, tool("systemctl", systemctlCalls, "--no-pager"), nil},
		"journalctl": {machine, journalctl, nil},
		"crictl":     {machine, tool("crictl", crictlCalls, "--runtime-endpoint --timeout"), nil},
		"containerd": {machine, tool("containerd", map[string]string{"--version": "", "config dump": "", "config default": ""}, ""), nil},
		"ctr":        {machine, tool("ctr", ctrCalls, "-n"), nil},
		"etcdctl":    {[]string{"control-plane"}, tool("etcdctl", etcdctlCalls, ""), nil},
		"etcdutl":    {[]string{"control-plane"}, tool("etcdutl", map[string]string{"snapshot restore": "--data-dir"}, ""), nil},
		"kubeadm":    {machine, tool("kubeadm", kubeadmCalls, ""), nil},
	}
	// Text and the network are everywhere.
	for _, name := range strings.Fields("awk base64 break cat cp curl cut date dig dirname docker echo env file find getent grep head hostname ls mkdir mv nc nslookup openssl ping printf python3 rm scp sed sleep sort stat sync tail tar touch tr true uniq update-ca-certificates wc xargs [") {
		out[name] = program{}
	}
	for _, name := range strings.Fields("apt-get audit2allow ausearch busctl chmod chown chronyc clevis cloud-init conntrack crio crun depmod df dkms dmesg dnf du ethtool findmnt firewall-cmd free fsck fuser getenforce grub2-mkconfig hostnamectl ip iptables-save iscsiadm k3s kill last ldd ln logrotate losetup lsblk lvs lsmod lspci " +
		"mcelog microk8s modinfo modprobe mount mtr multipath networkctl nfsstat nmcli nodeadm nproc nstat nvidia-bug-report.sh nvidia-ctk nvidia-smi ostree pgrep pidof pkill podman ps pvs ras-mc-ctl rbd resolvectl restorecon rmdir rmmod runc semodule smartctl snap ss swapoff " +
		"sysctl ufw systemd-cgls systemd-detect-virt timedatectl top tracepath umount uname unshare update-ca-trust update-grub uptime vgchange vgs vi /opt/cni/bin/x") {
		out[name] = program{machine, nil, nil}
	}
	return out
}()

// The subcommands and their flags that the pages use, as the tools have them: kubectl v1.36, az 2.80, systemd 257,
// crictl v1.35, containerd 2.2, etcd 3.6, kubeadm v1.36.
var (
	kubectlCalls = map[string]string{
		"api-resources": "-o", "apply": "-f", "certificate approve": "", "cluster-info": "", "config set-credentials": "--token", "config set-context": "--current --user", "config view": "--minify -o",
		"cordon": "", "create": "-f --raw", "delete": "--field-selector --force --grace-period -l", "describe": "-A", "edit": "",
		"drain":    "--ignore-daemonsets --delete-emptydir-data --force --grace-period --timeout --dry-run --skip-wait-for-delete-timeout",
		"annotate": "", "exec": "", "label": "", "logs": "-c -l --all-containers --previous --tail", "patch": "--type -p", "replace": "-f",
		"get":        "-A -L -f -l -o --field-selector --no-headers --raw --show-labels --show-managed-fields --sort-by --watch",
		"auth can-i": "--as", "rollout restart": "", "rollout status": "--timeout", "rollout undo": "", "scale": "--replicas", "set image": "",
		"set env": "", "set resources": "--limits --requests", "create secret docker-registry": "--docker-server --docker-username --docker-password", "taint": "", "top": "-A --sort-by", "uncordon": "",
	}
	nodetriageCalls = map[string]string{"why": "-n", "check": "", "drain": "--plan --suspend-pdb --restore", "repair": "", "collect": "-o"}
	systemctlCalls  = map[string]string{
		"cat": "", "daemon-reexec": "", "kill": "--signal", "daemon-reload": "", "disable": "--now", "enable": "--now", "mask": "", "unmask": "", "set-property": "", "is-active": "", "is-system-running": "",
		"list-jobs": "--after --before", "list-units": "--all --type --no-legend", "reboot": "--force", "reload": "", "reset-failed": "", "restart": "", "show": "-p", "start": "--no-block", "status": "", "stop": "",
	}
	crictlCalls = map[string]string{
		"images": "", "info": "", "inspect": "", "inspectp": "", "logs": "--tail", "pods": "-q", "ps": "-a -q --name", "pull": "", "rmi": "--prune", "rmp": "-a -f", "stop": "", "version": "",
	}
	ctrCalls     = map[string]string{"containers delete": "", "containers ls": "", "images check": "", "images import": "", "images label": "", "images list": "-q", "plugins ls": "", "tasks ls": "", "tasks ps": ""}
	etcdctlCalls = map[string]string{
		"alarm disarm": "", "compaction": "", "defrag": "--endpoints", "endpoint health": "--cluster", "endpoint status": "--cluster -w",
		"member list": "-w", "member remove": "",
	}
	kubeadmCalls = map[string]string{
		"certs check-expiration": "", "certs renew all": "", "config validate": "--config", "init phase kubeconfig kubelet": "", "join": "--token --discovery-token-ca-cert-hash --node-name", "kubeconfig user": "--config --org --client-name",
		"reset": "--force", "token create": "--print-join-command --ttl", "token list": "",
	}
	azCalls = map[string]string{
		"network vnet list": "--query -o", "storage account list": "--query -o", "vm list": "-g --query -o",
		"account show": "--query -o", "ad app credential list": "--id --query", "ad app credential reset": "--id --append",
		"aks disable-addons": "-g -n -a", "aks get-upgrades": "-g -n -o", "aks kollect": "-g -n --storage-account --sas-token", "aks list": "--query -o",
		"aks maintenanceconfiguration add": "-g --cluster-name -n --schedule-type --day-of-week --interval-weeks --start-time --duration",
		"aks nodepool add":                 "-g --cluster-name -n --node-vm-size --node-count --zones --vnet-subnet-id --linux-os-config --kubernetes-version --max-pods",
		"aks nodepool delete-machines":     "-g --cluster-name -n --machine-names", "aks nodepool get-upgrades": "-g --cluster-name --nodepool-name",
		"aks nodepool list": "-g --cluster-name --query -o", "aks nodepool operation-abort": "-g --cluster-name --nodepool-name", "aks nodepool scale": "-g --cluster-name -n -c",
		"aks nodepool show":    "-g --cluster-name -n --query -o",
		"aks nodepool update":  "-g --cluster-name -n --max-surge --drain-timeout --update-cluster-autoscaler --min-count --max-count",
		"aks nodepool upgrade": "-g --cluster-name -n --node-image-only", "aks rotate-certs": "-g -n", "aks show": "-g -n --query -o", "aks start": "-g -n",
		"aks update":               "-g -n --api-server-authorized-ip-ranges --enable-force-upgrade --upgrade-override-until",
		"aks update-credentials":   "-g -n --reset-service-principal --service-principal --client-secret",
		"disk-encryption-set list": "--query -o", "disk-encryption-set show": "-g -n --query", "keyvault key set-attributes": "--id --enabled", "keyvault key show": "--id --query",
		"lock delete": "--ids -n -g", "lock list": "-g -o --query", "vm list-skus": "-l --size --zone --all -o", "monitor activity-log list": "-g --status --offset --query", "monitor diagnostic-settings list": "--resource -g --resource-type", "network list-usages": "-l -o",
		"network nic show-effective-route-table": "--ids -o", "network private-dns link vnet create": "-g -z -n -v -e", "network private-dns zone list": "--query -o", "network public-ip list": "--query -o", "network public-ip delete": "-g -n",
		"network vnet list-available-ips": "-g -n", "network vnet show": "--ids --query", "network vnet subnet show": "--ids --query",
		"policy exemption create": "-n --policy-assignment --exemption-category --scope", "policy state list": "-g --resource --filter", "policy assignment list": "-g --disable-scope-strict-match --query -o", "quota update": "--resource-name --scope --limit-object --resource-type", "group show": "-n --query -o",
		"provider list": "--query -o", "provider register": "--namespace", "provider show": "-n --query", "resource show": "--ids", "rest": "--method --url",
		"role assignment create": "--assignee --role --scope", "role assignment list": "--assignee --all -o",
		"vm disk detach": "-g --vm-name --name", "vm get-instance-view": "--ids --query", "vm list-usage": "-l --query -o", "vm reapply": "-g -n", "vm show": "-g -n --query -o", "vm start": "-g -n", "vm update": "-g -n",
		"vmss disk detach": "-g --vmss-name --instance-id --lun", "vmss get-instance-view": "-g -n --instance-id --query", "vmss list": "-g --query -o",
		"vmss list-instances": "-g -n --expand --query -o", "vmss show": "-g -n --query", "vmss reimage": "-g -n --instance-ids", "vmss restart": "-g -n --instance-ids", "vmss start": "-g -n --instance-ids",
		"vmss run-command invoke": "-g -n --instance-id --command-id --scripts", "vmss update-instances": "-g -n --instance-ids",
	}
	awsCalls = map[string]string{
		"autoscaling describe-auto-scaling-groups": "--auto-scaling-group-names --query --output", "iam list-roles": "--query --output",
		"autoscaling describe-scaling-activities":              "--auto-scaling-group-name --max-items",
		"autoscaling terminate-instance-in-auto-scaling-group": "--instance-id --no-should-decrement-desired-capacity",
		"autoscaling update-auto-scaling-group":                "--auto-scaling-group-name --vpc-zone-identifier",
		"ec2 describe-instance-type-offerings":                 "--location-type --filters --query",
		"ec2 modify-subnet-attribute":                          "--subnet-id --private-dns-hostname-type-on-launch",
		"cloudwatch get-metric-statistics":                     "--namespace --metric-name --dimensions --start-time --end-time --period --statistics",
		"ec2 describe-addresses":                               "--query --output", "ec2 release-address": "--allocation-id", "ec2 describe-network-interfaces": "--filters --query --output", "ec2 describe-security-groups": "--query --output", "ec2 describe-instance-status": "--include-all-instances --instance-ids --query", "ec2 describe-instances": "--filters --instance-ids --query --output",
		"ec2 describe-launch-template-versions": "--launch-template-id --versions --query --output", "ec2 describe-subnets": "--subnet-ids --query --output",
		"ec2 get-console-output": "--instance-id --latest --output", "ec2 reboot-instances": "--instance-ids", "ec2 start-instances": "--instance-ids",
		"eks describe-cluster": "--name --query", "eks create-addon": "--cluster-name --addon-name", "eks describe-nodegroup": "--cluster-name --nodegroup-name --query", "eks list-access-entries": "--cluster-name", "iam simulate-principal-policy": "--policy-source-arn --action-names",
		"iam attach-role-policy": "--role-name --policy-arn", "iam create-service-linked-role": "--aws-service-name", "iam put-role-policy": "--role-name --policy-name --policy-document",
		"kms cancel-key-deletion": "--key-id", "kms create-grant": "--key-id --grantee-principal --operations", "kms describe-key": "--key-id --query", "kms enable-key": "--key-id",
		"service-quotas list-service-quotas":            "--service-code --query --output",
		"service-quotas request-service-quota-increase": "--service-code --quota-code --desired-value",
	}
	gcloudCalls = map[string]string{
		"compute instance-groups managed list-errors": "", "compute instances describe": "--zone --format", "compute regions describe": "--flatten --format",
		"container node-pools describe": "--cluster --format", "container operations list": "--filter", "kms keys versions list": "--key --keyring --location", "resource-manager org-policies list": "--project",
	}
	journalctlFlags = strings.Fields("-b -k -n -p -t -u -r --no-pager --since --vacuum-size")
)

// tool checks the subcommand, which may be of several words, and its flags; flags of the tool itself may stand before it.
func tool(name string, calls map[string]string, global string) func([]string) error {
	return func(args []string) error {
		own := strings.Fields(global)
		for len(args) > 0 && slices.Contains(own, flagName(args[0])) {
			if !strings.Contains(args[0], "=") && !strings.HasPrefix(args[0], "--no-") && len(args) > 1 {
				args = args[1:]
			}
			args = args[1:]
		}
		for n := min(5, len(args)); n > 0; n-- {
			allowed, known := calls[strings.Join(args[:n], " ")]
			if known {
				return flags(strings.Join(append([]string{name}, args[:n]...), " "), args[n:], append(strings.Fields(allowed), own...))
			}
		}
		return fmt.Errorf("%s has no subcommand %q that the pages know", name, strings.Join(args, " "))
	}
}

func flags(call string, args, allowed []string) error {
	for _, arg := range args {
		if arg == "--" {
			return nil
		}
		if len(arg) > 1 && arg[0] == '-' && !number.MatchString(arg) && !slices.Contains(allowed, flagName(arg)) {
			return fmt.Errorf("%s has no flag %s that the pages know", call, arg)
		}
	}
	return nil
}

var number = regexp.MustCompile(`^-\d+[a-z]?$`)

func flagName(arg string) string {
	name, _, _ := strings.Cut(arg, "=")
	return name
}

func journalctl(args []string) error {
	return flags("journalctl", args, journalctlFlags)
}

// ownKubeconfig reports whether kubectl is called with a kubeconfig of the machine itself.
func ownKubeconfig(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == "--kubeconfig" }) ||
		slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "kubeadm-config") })
}

func kubectl(args []string) error {
	if err := tool("kubectl", kubectlCalls, "-n --kubeconfig")(args); err != nil {
		return err
	}
	form, forms := "", 0
	for i, arg := range args {
		switch {
		case arg == "-o" && i+1 < len(args):
			form, forms = args[i+1], forms+1
		case arg == "-p" && i+1 < len(args):
			if err := patch(args[i+1]); err != nil {
				return err
			}
		}
	}
	if forms > 1 {
		return fmt.Errorf("kubectl takes one -o")
	}
	if slices.Contains(args, "--show-labels") && form != "" && form != "wide" {
		return fmt.Errorf("kubectl refuses --show-labels with -o %s", form)
	}
	return output(form)
}

// output checks a JSONPath template or custom columns.
func output(form string) error {
	if template, is := strings.CutPrefix(form, "jsonpath="); is {
		_, err := jsonpath.Parse("page", template)
		return err
	}
	columns, is := strings.CutPrefix(form, "custom-columns=")
	if !is {
		return nil
	}
	for _, column := range strings.Split(columns, ",") {
		_, path, named := strings.Cut(column, ":")
		if !named || !strings.HasPrefix(path, ".") {
			return fmt.Errorf("column %q: it needs a name and a path", column)
		}
		if _, err := jsonpath.Parse("page", "{"+path+"}"); err != nil {
			return err
		}
	}
	return nil
}

// patch checks a JSON patch or merge patch. A finalizer is removed by its index, after a test that it is the one.
func patch(text string) error {
	if !json.Valid([]byte(text)) {
		return fmt.Errorf("patch %s is no JSON", text)
	}
	var steps []struct{ Op, Path string }
	if json.Unmarshal([]byte(text), &steps) != nil {
		return nil // a merge patch
	}
	tested := map[string]bool{}
	for _, s := range steps {
		if s.Op == "test" {
			tested[s.Path] = true
		}
		if s.Op == "remove" && strings.Contains(s.Path, "/finalizers") && !tested[s.Path] {
			return fmt.Errorf("patch %s removes %s without a test of what is there", text, s.Path)
		}
	}
	return nil
}
