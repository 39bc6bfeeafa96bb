// Package access lets only those read a page of the controller whom the API server authorizes: it asks with a TokenReview who sends the
// request, and with a SubjectAccessReview whether this user may get the path. The filter of controller-runtime does the same with the
// libraries of the API server, which link gRPC: 7 MB.
package access
