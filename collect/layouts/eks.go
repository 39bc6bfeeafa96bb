package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// EKS is the layout of the EKS log collector.
var EKS = &Layout{
	Tool:   "EKS log collector",
	Source: "awslabs/amazon-eks-ami log-collector-script",
	Nodes:  []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)eks_(?P<node>i-[0-9a-f]{8,17})_`)}, // the instance ID
}
