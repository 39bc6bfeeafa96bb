package collect

import "strings"

// ProviderOf returns the cloud from the server version, if the version names one.
func ProviderOf(version string) string {
	switch {
	case strings.Contains(version, "-gke."):
		return "gke"
	case strings.Contains(version, "-eks-"):
		return "eks"
	}
	return ""
}
