package alertwebhook

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/nodetriage/nodetriage/controller/engine"
)

// Path is where Alertmanager sends notifications.
const Path = "/alertmanager"

// The bounds of what is received.
const (
	maxBody   = 16 << 20 // bytes of a notification: 3,000 alerts have about 3 MB
	maxQueued = 64       // notifications that wait; the next ones are refused, and Alertmanager repeats them
	// batch is how long alerts are collected, so that the alerts of one fault give one message.
	batch = time.Second
)

// Options are the options of a Server.
type Options struct {
	Address string // where it listens
	Token   string // that Alertmanager must send
	Cluster string // name in messages
	URL     string // of the receiver; a secret
	Form    Form
}

// Source has the judgements: an engine.Engine.
type Source interface{ Current() *engine.Judgement }

// Server receives notifications and sends messages. It is a runnable of controller-runtime. Each replica is one, because Alertmanager sends
// to any of them.
type Server struct {
	opt    Options
	source Source
	sender *sender
	told   *told
	queue  chan *notification
	sent   *prometheus.CounterVec
}

// New returns a Server. It counts messages in a metric.
func New(source Source, opt Options, metrics prometheus.Registerer) (*Server, error) {
	s := &Server{
		opt: opt, source: source, sender: newSender(opt.URL, opt.Form), told: newTold(), queue: make(chan *notification, maxQueued),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "nodetriage_alert_messages_total", Help: "Messages about alerts by result: sent, failed.",
		}, []string{"result"}),
	}
	for _, result := range []string{sent, failed} {
		s.sent.WithLabelValues(result)
	}
	return s, metrics.Register(s.sent)
}

// The results of messages.
const (
	sent   = "sent"
	failed = "failed"
)

// NeedLeaderElection reports that it runs on every replica.
func (s *Server) NeedLeaderElection() bool { return false }

// Start receives and sends until ctx ends.
func (s *Server) Start(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.opt.Address)
	if err != nil {
		return err
	}
	return s.serve(ctx, listener)
}

func (s *Server) serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: http.HandlerFunc(s.receive), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute,
		IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.work(ctx)
		_ = server.Close()
	}()
	err := server.Serve(listener)
	<-done
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// receive takes a notification and answers at once: Alertmanager must not wait for the receiver.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != Path:
		http.NotFound(w, r)
		return
	case r.Method != http.MethodPost:
		http.Error(w, "use POST", http.StatusMethodNotAllowed)
		return
	case !s.knows(r):
		http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the notification is too large or was interrupted", http.StatusRequestEntityTooLarge)
		return
	}
	n, err := parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case s.queue <- n:
	default:
		http.Error(w, "too many notifications wait", http.StatusServiceUnavailable)
	}
}

func (s *Server) knows(r *http.Request) bool {
	token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return is && subtle.ConstantTimeCompare([]byte(token), []byte(s.opt.Token)) == 1
}

// work makes messages of the notifications until ctx ends.
func (s *Server) work(ctx context.Context) {
	for {
		select {
		case n := <-s.queue:
			s.answer(ctx, s.collect(ctx, n))
		case <-ctx.Done():
			return
		}
	}
}

// collect returns the alerts of a notification, and of all notifications that arrive within a second.
func (s *Server) collect(ctx context.Context, n *notification) []alert {
	alerts := n.Alerts
	for end := time.After(batch); ; {
		select {
		case n := <-s.queue:
			alerts = append(alerts, n.Alerts...)
		case <-end:
			return alerts
		case <-ctx.Done():
			return nil
		}
	}
}

// answer sends what is new about the nodes of alerts.
func (s *Server) answer(ctx context.Context, alerts []alert) {
	j := s.source.Current()
	if !j.Judged() {
		return // there is nothing to say yet, and the alert is repeated
	}
	for _, m := range s.told.messages(s.opt.Cluster, j, alerts, time.Now()) {
		result := sent
		if err := s.sender.send(ctx, &m); err != nil {
			result = failed
			log.FromContext(ctx).Error(err, "send the message about an alert", "cause", m.Cause)
		}
		s.sent.WithLabelValues(result).Inc()
	}
}

// inner returns the reason of a failed request without its address.
func inner(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
