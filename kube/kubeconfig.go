package kube

import (
	"maps"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// ParseConfig reads a kubeconfig. It expands YAML aliases within bounds because client-go expands them without a limit.
func ParseConfig(raw []byte) (*clientcmdapi.Config, error) {
	expanded, err := bounds.YAMLToJSON(raw)
	if err != nil {
		return nil, err
	}
	if string(expanded) == "null" { // an empty file, or only comments
		return clientcmdapi.NewConfig(), nil
	}
	config, err := clientcmd.Load(expanded)
	if err != nil {
		return nil, err
	}
	dropNil(config.Clusters)
	dropNil(config.AuthInfos)
	dropNil(config.Contexts)
	return config, nil
}

// dropNil removes entries without a value. client-go does not expect them.
func dropNil[T any](entries map[string]*T) {
	maps.DeleteFunc(entries, func(_ string, entry *T) bool { return entry == nil })
}

// MergeConfigs merges several kubeconfig files. If two entries have the same name, the first wins.
func MergeConfigs(configs []*clientcmdapi.Config) *clientcmdapi.Config {
	all := clientcmdapi.NewConfig()
	for i := len(configs) - 1; i >= 0; i-- {
		config := configs[i]
		maps.Copy(all.Clusters, config.Clusters)
		maps.Copy(all.AuthInfos, config.AuthInfos)
		maps.Copy(all.Contexts, config.Contexts)
		if config.CurrentContext != "" {
			all.CurrentContext = config.CurrentContext
		}
	}
	return all
}
