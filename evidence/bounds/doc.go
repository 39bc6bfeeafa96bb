// Package bounds decodes documents that strangers wrote: JSON, YAML and the API server's protobuf.
//
// A decoder of Kubernetes types takes for granted that an API server has checked what it reads. Files, pastes and
// answers of a server that somebody else controls give no such promise. The functions of this package change or refuse what
// would make a decoder, or the code that works with its result, run forever or panic:
//
//   - quantities with a huge exponent or with hundreds of digits get the nearest value that Kubernetes documents,
//   - null elements of lists and maps of pointers are dropped,
//   - a document of more objects and list elements than a bound is refused,
//   - YAML of more lines, keys and items than a bound, and YAML whose aliases expand to more than a bound, is refused.
package bounds
