// Package story plays faults one after another and several at once on real nodes with work on them, asks nodetriage all the
// time, and judges each answer by what was broken, over or not yet told at that moment.
package story
