package documents

import (
	"net/netip"
	"strconv"
)

const (
	keptBySubnet = 5       // addresses per range that Azure reserves
	maxAddresses = 1 << 24 // per subnet, more than any may have
)

// subnetValues counts the addresses of a subnet and the used ones: each has an IP configuration. A missing list is
// unknown, because an empty list is also omitted. A queried count is exact.
func subnetValues(r *resource, tree map[string]any) {
	used := map[string]bool{}
	for _, at := range []string{"ipConfigurations", "properties.ipConfigurations"} {
		for _, c := range objectsIn(tree, at) {
			used[text(c, "id")] = true
		}
	}
	limit := addresses(append(stringsIn(tree, "addressPrefixes"), text(tree, "addressPrefix", "properties.addressPrefix")))
	count := field(tree, "ipConfigurations"+counted)
	if len(used) > 0 {
		count = strconv.Itoa(len(used))
	}
	if count == "" || limit <= 0 {
		return
	}
	r.Properties["currentValue"], r.Properties["limit"] = count, strconv.Itoa(limit)
}

// addresses returns the number of usable addresses of the IPv4 ranges.
func addresses(ranges []string) (n int) {
	for _, cidr := range once(ranges) {
		if p, err := netip.ParsePrefix(cidr); err == nil && p.Addr().Is4() {
			n += 1<<(32-p.Bits()) - keptBySubnet
		}
	}
	return min(n, maxAddresses)
}
