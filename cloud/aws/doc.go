// Package aws decodes the JSON output of aws ec2 describe-instances and describe-instance-status. It sends no requests
// to AWS. Field names and values are those of the EC2 API reference, version 2016-11-15.
package aws
