// Package cloud has the rules on what the cloud says of its resources, and on what was done in it.
package cloud
