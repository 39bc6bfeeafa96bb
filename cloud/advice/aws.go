package advice

import "github.com/nodetriage/nodetriage/knowledge/shell"

// AWS is the cloud with the command line tool aws.
const AWS Cloud = "aws"

// ec2 are the aws commands for EC2 machines and EKS clusters.
var ec2 = map[Action]shell.Text{
	SignIn:           "aws sso login",
	ShowCluster:      "aws eks describe-cluster --name <cluster>",
	FindCluster:      "aws eks list-clusters # prints <cluster-name>",
	ShowPool:         "aws eks describe-nodegroup --cluster-name <cluster> --nodegroup-name <pool>",
	ShowMachine:      "aws ec2 describe-instance-status --include-all-instances --instance-ids {instance}",
	ShowMachines:     "aws ec2 describe-instances and aws ec2 describe-instance-status --include-all-instances",
	ShowQuota:        "aws service-quotas list-service-quotas --service-code ec2",
	ShowAddressQuota: "aws service-quotas list-service-quotas --service-code vpc",
	ShowSizes:        "aws ec2 describe-instance-type-offerings --location-type availability-zone --filters Name=instance-type,Values=<size>",
	ShowNetworkRules: "aws ec2 describe-security-groups and aws ec2 describe-route-tables of the subnet",
	ScalePool:        "aws eks update-nodegroup-config --cluster-name <cluster-name> --nodegroup-name {pool} --scaling-config desiredSize={count}",
	UpgradeImage:     "aws eks update-nodegroup-version --cluster-name <cluster> --nodegroup-name {pool}",

	StartMachine:      "aws ec2 start-instances --instance-ids <instance-id>",
	StartOtherMachine: "aws ec2 start-instances --instance-ids <instance-id>",
	RestartMachine:    "aws ec2 reboot-instances --instance-ids <instance-id>",
	ReimageMachine:    "aws ec2 create-replace-root-volume-task --instance-id <instance-id>",
}
