package alertwebhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The times of sending. A message that cannot be sent in time is dropped: the alert itself has reached people by its own way.
const (
	tries      = 4
	firstPause = time.Second // and twice as long each time
	oneTry     = 10 * time.Second
)

// sender sends messages to one receiver.
type sender struct {
	url    string
	form   Form
	client *http.Client
	pause  time.Duration // before the second try
}

func newSender(url string, form Form) *sender {
	return &sender{url: url, form: form, pause: firstPause, client: &http.Client{
		Timeout: oneTry,
		// A receiver that moved is a wrong setting: the address is a secret, and does not follow it.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// send sends a message. It tries again while the receiver fails (5xx) or limits the rate.
func (s *sender) send(ctx context.Context, m *Message) error {
	body, err := encode(m, s.form)
	if err != nil {
		return err
	}
	pause := s.pause
	for try := 1; ; try++ {
		again, err := s.post(ctx, body)
		if err == nil || !again || try == tries {
			return err
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// post sends a body once. again reports whether another try may succeed. Errors do not contain the address, which is a secret.
func (s *sender) post(ctx context.Context, body []byte) (again bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return false, errors.New("invalid address of the receiver")
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return true, fmt.Errorf("the receiver does not respond: %w", inner(err))
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be used again
	switch code := response.StatusCode; {
	case code < 300:
		return false, nil
	case code >= 500 || code == http.StatusTooManyRequests:
		return true, fmt.Errorf("the receiver has an error: %s", response.Status)
	default:
		return false, fmt.Errorf("the receiver refuses the message: %s", response.Status)
	}
}
