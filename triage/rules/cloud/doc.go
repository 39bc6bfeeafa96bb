// Package cloud has the rules on the state of cloud resources, and on cloud operations.
package cloud
