package documents

import "testing"

// A size and the quota of its family are told by different words.
func TestFamily(t *testing.T) {
	for _, same := range [][2]string{
		{"Standard_D4s_v5", "standardDSv5Family"}, {"Standard_D4s_v5", "Standard DSv5 Family vCPUs"}, {"Standard_D2_v3", "standardDv3Family"},
		{"Standard_L8s_v3", "standardLSv3Family"}, {"Standard_E16ds_v4", "standardEDSv4Family"}, {"Standard_B2s", "standardBSFamily"},
	} {
		if a, b := family(same[0]), family(same[1]); a != b || a == "" {
			t.Errorf("%s is %q, %s is %q", same[0], a, same[1], b)
		}
	}
	for _, other := range []string{"cores", "StandardSkuPublicIpAddresses", "Total Regional vCPUs", ""} {
		if f := family(other); f != "" {
			t.Errorf("%q is family %q", other, f)
		}
	}
	if family("Standard_D4s_v5") == family("standardLSv3Family") {
		t.Error("D and L are one family")
	}
}
