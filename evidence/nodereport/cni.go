package nodereport

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

type pluginConfig struct {
	Type             string `json:"type"`
	Bridge           string `json:"bridge"`
	IsGateway        bool   `json:"isGateway"`
	IsDefaultGateway bool   `json:"isDefaultGateway"`
	IPAM             struct {
		Type   string `json:"type"`
		Subnet string `json:"subnet"`
		Ranges [][]struct {
			Subnet string `json:"subnet"`
		} `json:"ranges"`
	} `json:"ipam"`
	Delegate struct {
		Type string `json:"type"`
	} `json:"delegate"`
}

// ReadNetwork parses a CNI configuration with one plugin or a list of plugins.
func ReadNetwork(data []byte, n *Network) error {
	var file struct {
		CNIVersion string         `json:"cniVersion"`
		Name       string         `json:"name"`
		Plugins    []pluginConfig `json:"plugins"`
		pluginConfig
	}
	if len(data) == 0 {
		return errors.New("the file is empty")
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return fmt.Errorf("it is no JSON that can be used: %w", err)
	}
	n.Name, n.Version = cut(file.Name, 100), cut(file.CNIVersion, 20)
	list := file.Plugins
	if list == nil {
		list = []pluginConfig{file.pluginConfig}
	}
	for _, p := range list {
		if p.Type == "" {
			return errors.New("it names no plugin: type is missing")
		}
		n.add(p)
	}
	if len(n.Plugins) == 0 {
		return errors.New("its list of plugins is empty")
	}
	return nil
}

// add adds the data of one plugin in the list.
func (n *Network) add(p pluginConfig) {
	if p.Type == "bridge" && (p.IsGateway || p.IsDefaultGateway) { // a bridge without an address has no route
		n.Bridge = cut(cmp.Or(p.Bridge, "cni0"), 15)
	}
	if p.IPAM.Subnet != "" {
		n.Ranges = append(n.Ranges, cut(p.IPAM.Subnet, 50))
	}
	for _, set := range p.IPAM.Ranges {
		for _, one := range set {
			if len(n.Ranges) < 10 && one.Subnet != "" {
				n.Ranges = append(n.Ranges, cut(one.Subnet, 50))
			}
		}
	}
	for _, name := range []string{p.Type, p.IPAM.Type, p.Delegate.Type} {
		known := slices.ContainsFunc(n.Plugins, func(q Plugin) bool { return q.Type == name })
		if name != "" && !known && len(n.Plugins) < 32 {
			n.Plugins = append(n.Plugins, Plugin{Type: cut(name, 100)})
		}
	}
}

// cut bounds a name from a file.
func cut(s string, most int) string {
	if len(s) > most {
		return s[:most]
	}
	return s
}
