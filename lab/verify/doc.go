// Package verify tests nodetriage verify on real nodes: broken, healed, with a canary between two of them.
package verify
