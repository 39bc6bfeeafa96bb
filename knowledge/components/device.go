package components

// devices are components that give pods GPUs and other devices of the machine.
var devices = []*Component{
	{
		Name: "nvidia", Role: Device,
		Programs: []string{"nvidia", "gpu-", "dcgm"}, Topic: `\bnvidia|\bnvml\b|\bcuda\b|NVRM|\bxid\b|/dev/nvidia`,
		Namespaces: []string{"gpu-operator"}, Reserved: []string{"gpu-operator", "nvidia-"},
	},
	{Name: "amdgpu", Role: Device, Programs: []string{"amdgpu"}, Topic: `amdgpu`},
	{Name: "node-feature-discovery", Role: Device, Reserved: []string{"node-feature-discovery"}},
}
