// Package aws reads what aws ec2 describe-instances and describe-instance-status print as JSON. It asks AWS nothing. Field
// names and their values are those of the EC2 API reference, version 2016-11-15.
package aws
