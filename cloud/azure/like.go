package azure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// option returns the flags of az aks nodepool add for one property, and the fields that they cannot set; "" means the
// whole property.
type option func(value any) (flags shell.Text, lacks []string)

// whole marks a property without a matching az option.
var whole = []string{""}

// poolOptions are the pool properties with an az option (azure-cli 2.80 acs/_params.py, aks nodepool add), in the order
// of the command.
var poolOptions = []struct {
	property string
	option   option
}{
	{"mode", text("--mode")},
	{"vmSize", text("--node-vm-size")},
	{"type", text("--vm-set-type")},
	{"osType", text("--os-type")},
	{"osSKU", text("--os-sku")},
	{"orchestratorVersion", text("--kubernetes-version")},
	{"osDiskSizeGB", text("--node-osdisk-size")},
	{"osDiskType", text("--node-osdisk-type")},
	{"kubeletDiskType", unless("OS")},
	{"maxPods", text("--max-pods")},
	{"availabilityZones", words("--zones", " ")},
	{"vnetSubnetID", text("--vnet-subnet-id")},
	{"podSubnetID", text("--pod-subnet-id")},
	{"podIPAllocationMode", text("--pod-ip-allocation-mode")},
	{"enableAutoScaling", flag("--enable-cluster-autoscaler")},
	{"minCount", text("--min-count")},
	{"maxCount", text("--max-count")},
	{"scaleSetPriority", text("--priority")},
	{"scaleSetEvictionPolicy", text("--eviction-policy")},
	{"spotMaxPrice", text("--spot-max-price")},
	{"scaleDownMode", text("--scale-down-mode")},
	{"nodeLabels", pairs("--labels")},
	{"nodeTaints", words("--node-taints", ",")},
	{"tags", pairs("--tags")},
	{"upgradeSettings", parts(map[string]shell.Text{
		"maxSurge": "--max-surge", "maxUnavailable": "--max-unavailable", "drainTimeoutInMinutes": "--drain-timeout",
		"nodeSoakDurationInMinutes": "--node-soak-duration", "undrainableNodeBehavior": "--undrainable-node-behavior",
	})},
	{"enableNodePublicIP", flag("--enable-node-public-ip")},
	{"nodePublicIPPrefixID", text("--node-public-ip-prefix-id")},
	{"enableEncryptionAtHost", flag("--enable-encryption-at-host")},
	{"enableUltraSSD", flag("--enable-ultra-ssd")},
	{"enableFIPS", flag("--enable-fips-image")},
	{"gpuInstanceProfile", text("--gpu-instance-profile")},
	{"gpuProfile", parts(map[string]shell.Text{"driver": "--gpu-driver"})},
	{"proximityPlacementGroupID", text("--ppg")},
	{"hostGroupID", text("--host-group-id")},
	{"capacityReservationGroupID", text("--crg-id")},
	{"creationData", parts(map[string]shell.Text{"sourceResourceId": "--snapshot-id"})},
	{"workloadRuntime", text("--workload-runtime")},
	{"securityProfile", parts(map[string]shell.Text{"enableVTPM": "--enable-vtpm", "enableSecureBoot": "--enable-secure-boot"})},
	{"networkProfile", network},
	{"windowsProfile", parts(map[string]shell.Text{"disableOutboundNat": "--disable-windows-outbound-nat"})},
	{"gatewayProfile", parts(map[string]shell.Text{"publicIPPrefixSize": "--gateway-prefix-size"})},
}

// poolFiles are the properties that az takes as a JSON file.
var poolFiles = []struct {
	property string
	flag     shell.Text
}{
	{"kubeletConfig", "--kubelet-config"}, {"linuxOSConfig", "--linux-os-config"}, {"localDNSProfile", "--localdns-config"},
}

// addLike returns the command that creates the pool of c by hand as a copy of another pool, and the properties without
// an az option. raw is the JSON of that pool.
func (t target) addLike(c cloud.Change, raw []byte) (command shell.Text, lacks []string, err error) {
	body, err := withCount(raw, c)
	if err != nil {
		return "", nil, err
	}
	var pool struct {
		Properties map[string]any `json:"properties"`
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&pool); err != nil {
		return "", nil, fmt.Errorf("read a pool: %w", err)
	}
	left := pool.Properties
	delete(left, "count")
	if left["enableAutoScaling"] != true { // stale bounds of a disabled autoscaler
		delete(left, "minCount")
		delete(left, "maxCount")
	}
	if left["scaleSetPriority"] != "Spot" { // the API returns them for every pool, but az accepts them only for spot pools
		delete(left, "scaleSetEvictionPolicy")
		delete(left, "spotMaxPrice")
	}
	var before, flags shell.Text
	for _, f := range poolFiles {
		if !empty(left[f.property]) {
			file := path.Base(c.Like) + "-" + f.property + ".json"
			before += shell.Format("az rest --method get --url {pool-id} --query properties.{property} > {file} && ", c.Like+"?api-version="+aksVersion, f.property, file)
			flags += " " + f.flag + shell.Format(" {file}", file)
		}
		delete(left, f.property)
	}
	for _, o := range poolOptions {
		value := left[o.property]
		if empty(value) {
			continue
		}
		text, without := o.option(value)
		flags += text
		for _, field := range without {
			lacks = append(lacks, strings.TrimSuffix(o.property+"."+field, "."))
		}
		delete(left, o.property)
	}
	for _, property := range slices.Sorted(maps.Keys(left)) {
		if !empty(left[property]) {
			lacks = append(lacks, property)
		}
	}
	slices.Sort(lacks)
	return before + "az aks nodepool add" + t.named() + shell.Format(" --node-count {count}", strconv.Itoa(c.Count)) + flags, lacks, nil
}

// empty reports whether a property has its default value.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !empty(e) })
	case map[string]any:
		for _, e := range v {
			if !empty(e) {
				return false
			}
		}
		return true
	}
	return false
}

// said returns a value as one word; ok is false for other values.
func said(v any) (shell.Text, bool) {
	switch v := v.(type) {
	case string:
		return shell.Word(v)
	case json.Number:
		digits, below := strings.CutPrefix(v.String(), "-")
		w, ok := shell.Word(digits)
		if below {
			w = "-" + w
		}
		return w, ok
	}
	return "", false
}

func text(name shell.Text) option {
	return func(v any) (shell.Text, []string) {
		w, ok := said(v)
		switch {
		case !ok:
			return "", whole
		case strings.HasPrefix(string(w), "-"): // a negative number looks like an option
			return " " + name + "=" + w, nil
		}
		return " " + name + " " + w, nil
	}
}

// unless handles a property without an az option whose usual value can be omitted.
func unless(usual string) option {
	return func(v any) (shell.Text, []string) {
		if v == usual {
			return "", nil
		}
		return "", whole
	}
}

func flag(name shell.Text) option {
	return func(v any) (shell.Text, []string) {
		if v != true {
			return "", whole
		}
		return " " + name, nil
	}
}

// words returns an option with a list, joined by a space or a comma.
func words(name, by shell.Text) option {
	return func(v any) (shell.Text, []string) {
		list, ok := v.([]any)
		var out []shell.Text
		for _, e := range list {
			w, plain := said(e)
			ok = ok && plain && !strings.ContainsAny(string(w), ", '")
			out = append(out, w)
		}
		if !ok {
			return "", whole
		}
		return " " + name + " " + shell.Join(by, out...), nil
	}
}

// pairs returns an option with key=value words. Unsafe pairs count as missing.
func pairs(name shell.Text) option {
	return func(v any) (out shell.Text, lacks []string) {
		m, _ := v.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(m)) {
			value, isText := m[key].(string)
			if w, ok := said(key + "=" + value); isText && ok {
				out += " " + w
			} else {
				lacks = append(lacks, key)
			}
		}
		if out != "" {
			out = " " + name + out
		}
		return out, lacks
	}
}

// parts returns options for the fields of a property.
func parts(names map[string]shell.Text) option {
	return func(v any) (out shell.Text, lacks []string) {
		m, _ := v.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if empty(m[key]) {
				continue
			}
			option := unless("")
			switch name := names[key]; {
			case name == "":
			case m[key] == true:
				option = flag(name)
			default:
				option = text(name)
			}
			flags, without := option(m[key])
			if out += flags; without != nil {
				lacks = append(lacks, key)
			}
		}
		return out, lacks
	}
}

// network returns the az options for the network of a pool.
func network(v any) (out shell.Text, lacks []string) {
	m, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		var flags shell.Text
		var without []string
		switch list, _ := m[key].([]any); {
		case empty(m[key]):
		case key == "allowedHostPorts":
			flags, without = words("--allowed-host-ports", " ")(ports(list))
		case key == "applicationSecurityGroups":
			flags, without = words("--asg-ids", " ")(list)
		case key == "nodePublicIPTags":
			tags := map[string]any{}
			for _, t := range list {
				tag, _ := t.(map[string]any)
				tags[fmt.Sprint(tag["ipTagType"])] = tag["tag"]
			}
			flags, without = pairs("--node-public-ip-tags")(tags)
		default:
			without = whole
		}
		if out += flags; without != nil {
			lacks = append(lacks, key)
		}
	}
	return out, lacks
}

// ports returns ranges in the az format: 80/tcp, 4000-5000/udp.
func ports(list []any) (out []any) {
	for _, p := range list {
		port, _ := p.(map[string]any)
		first, last := fmt.Sprint(port["portStart"]), fmt.Sprint(port["portEnd"])
		if first != last {
			first += "-" + last
		}
		out = append(out, first+"/"+strings.ToLower(fmt.Sprint(port["protocol"])))
	}
	return out
}
