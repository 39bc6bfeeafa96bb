package components

// storage are drivers of volumes.
var storage = []*Component{
	{ // shared by drivers: the sidecars of Kubernetes and the attach controller
		Name: "csi", Role: Storage,
		Programs: []string{"csi", "external-attacher", "external-provisioner", "attachdetach-controller"}, Topic: `\bcsi\b`,
	},
	{Name: "aws-ebs-csi-driver", Role: Storage, Programs: []string{"ebs-csi"}, Taints: []string{"ebs.csi.aws.com/agent-not-ready"}},
	{Name: "azuredisk-csi-driver", Role: Storage, Programs: []string{"azuredisk"}},
	{Name: "longhorn", Role: Storage, Programs: []string{"longhorn"}, Reserved: []string{"longhorn"}},
	{Name: "rook", Role: Storage, Topic: `\brbd\b`, Reserved: []string{"rook-"}},
}
