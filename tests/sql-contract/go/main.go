// Command invoices is the service of ../invoices.py in Go with pgx. docs/SQL-CONTRACT.md is all that it knows of the engine.
//
//	invoices DATABASE_URL register | recover | consume
//	invoices DATABASE_URL issue KEY CUSTOMER MINOR_UNITS
//	invoices DATABASE_URL receive MESSAGE_ID OPERATION_ID
//
// It prints one line of JSON. HOLD=claimed|prepared|marked|sent|taken makes it wait there for a line of input.
package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	tenant, principal, owner = "acme", "billing", "invoices-go"
	operation, consumer      = "invoices.issue", "billing.payments"
	leaseMs                  = 30_000
)

var instance = cmp.Or(os.Getenv("INSTANCE"), "billing-1")

// command of one invoice; its members are in the order of their names.
type command struct {
	Amount   string `json:"amount"`
	Customer string `json:"customer"`
}

func (s service) register() row {
	expects := row{"once": "One invoice was sent.", "none": "No invoice was sent.", "doubt": "It is not known whether an invoice was sent.",
		"event": "invoice.issued", "entry": "none"}
	provider := row{"provider": "mailhouse", "dedupes_for_hours": math.Inf(1), "queryable": true}
	kind := row{"name": operation, "owner": owner, "label": "Invoice", "path": "provider", "expects": text(expects), "version": "1",
		"actions": []string{"reconcile", "resolve", "release"}}
	return row{"changed": s.call("register_operation_kind", with(kind, provider))[0]["register_operation_kind"]}
}

func (s service) claim(key string, cmd command) row {
	args := row{"tenant": tenant, "operation": operation, "key": key, "operation_id": newID(), "principal": principal, "owner": instance,
		"fingerprint": hash(text(cmd)), "lease_ms": leaseMs, "account": cmd.Customer, "amount": cmd.Amount, "currency": "EUR",
		"command": []byte("\x00" + text(cmd))} // first byte 0: as it is, the console may read it
	decided := s.call("operation_policy", row{"tenant": tenant, "operation": operation})[0]
	for _, name := range []string{"lease_ms", "ttl_seconds", "metadata_days", "max_attempts", "expired"} {
		if decided[name] != nil {
			args[name] = decided[name]
		}
	}
	return s.call("claim", args)[0]
}

// note is for the people who look later. What the first caller was told is recorded by complete().
func (s service) note(about row, kind string, more row) {
	event := row{"tenant_id": tenant, "id": newID(), "operation_id": id(about["operation_id"]), "operation": operation,
		"actor": instance, "type": kind, "at": time.Now()}
	s.call("record_events", row{"events": text([]row{with(event, more)})})
}

// answerExisting answers for a key that stands for something already. Nothing runs here, except what a dead owner left.
func (s service) answerExisting(claim row) row {
	told := row{"outcome": claim["outcome"], "at": claim["asked_at"], "client": principal}
	switch claim["outcome"] {
	case "replay":
		body := string(claim["body"].([]byte)[1:])
		served := row{"outcome": "replayed", "status": claim["response_status"], "served_hash": hex.EncodeToString(hash(body))}
		s.note(claim, "replayed", with(told, served))
		return row{"outcome": "replayed", "status": claim["response_status"], "body": body}
	case "conflict":
		s.note(claim, "conflict", with(told, row{"status": 409, "code": "idempotency.payload_mismatch"}))
	case "stale", "unknown":
		return row{"outcome": claim["outcome"], "recovered": s.recover(claim["operation_id"])}
	}
	return row{"outcome": claim["outcome"], "state": claim["state"]}
}

// issue is the provider path: no transaction is open during the call, and the send is marked before it.
func (s service) issue(key string, cmd command) (row, error) {
	claim := s.claim(key, cmd)
	if claim["outcome"] != "claimed" {
		return s.answerExisting(claim), nil
	}
	hold("claimed")
	request, invoice := newID(), ""
	err := pgx.BeginFunc(s, s.Conn, func(tx pgx.Tx) error {
		// One invoice per operation, also when it runs again under its key.
		insert := `insert into billing.invoices (id, operation_id, customer, amount, status) values ($1, $2, $3, $4, 'pending')
			on conflict (operation_id) do update set status = excluded.status returning id::text`
		if err := tx.QueryRow(s, insert, newID(), claim["operation_id"], cmd.Customer, cmd.Amount).Scan(&invoice); err != nil {
			return err
		}
		return s.owned("prepare_provider", claim, row{"id": request, "provider_key": "invoice_" + invoice, "provider": "mailhouse",
			"kind": "send", "amount": cmd.Amount, "currency": "EUR"})
	})
	if err != nil {
		return nil, err
	}
	hold("prepared")
	if err := s.owned("mark_sent", claim, row{"request": request}); err != nil { // committed before the first byte leaves
		return nil, err
	}
	hold("marked")
	// Another company. It dedupes by our key, and commits on its own: nothing of ours can undo it.
	var reference string
	send := `insert into mailhouse.letters (provider_key) values ($1)
		on conflict (provider_key) do update set asked = letters.asked + 1 returning reference`
	if err := s.QueryRow(s, send, "invoice_"+invoice).Scan(&reference); err != nil {
		return nil, err
	}
	hold("sent")
	s.call("answer_provider", row{"tenant": tenant, "request": request, "outcome": "succeeded", "reference": reference})
	answered := row{"event_id": newID(), "attempt": claim["attempts"], "client": principal}
	return s.settle(claim, "issued", invoice, cmd, answered)
}

// settle keeps the invoice, the answer, the outbox row and, when a caller is told now, the event of it: all of them or none.
func (s service) settle(claim row, status, invoice string, cmd command, event row) (row, error) {
	state, code, body := "COMPLETED", 201, text(row{"invoiceId": invoice, "amount": cmd.Amount, "customer": cmd.Customer})
	operationID := id(claim["operation_id"])
	made := row{"resource_type": "invoice", "resource_id": invoice}
	if status == "failed" {
		state, code, body = "FAILED_REPLAYABLE", 422, text(row{"code": "invoice.not_sent"})
		made["error_code"] = "invoice.not_sent"
	} else {
		message := uuid.NewSHA1(uuid.MustParse(operationID), []byte("invoice.issued")).String() // the same one in every recovery
		data := row{"operationId": operationID, "invoiceId": invoice, "amount": cmd.Amount, "customer": cmd.Customer}
		payload := row{"id": message, "type": "invoice.issued", "tenant": tenant, "data": data}
		made["outbox"] = text([]row{{"id": message, "aggregate_type": "invoice", "aggregate_id": invoice, "topic": "invoices",
			"type": "invoice.issued", "payload": payload, "headers": row{}}})
	}
	kept := row{"state": state, "status": code, "body": []byte("\x00" + body), "served_hash": hash(body), "schema_version": "2026-02-01",
		"headers": text(row{"content-type": "application/json"})}
	err := pgx.BeginFunc(s, s.Conn, func(tx pgx.Tx) error { // fenced undoes the invoice too
		if _, err := tx.Exec(s, "update billing.invoices set status = $1 where id = $2", status, invoice); err != nil {
			return err
		}
		return s.owned("complete", claim, with(with(made, kept), event))
	})
	return row{"outcome": "executed", "status": code, "body": body}, err
}

// recover settles what operators ask for, then what nobody owns; of one operation or of all.
func (s service) recover(one any) []row {
	settled := []row{}
	args := row{"tenant": tenant, "owner": instance, "lease_ms": leaseMs, "operations": []string{operation}, "operation_id": one}
	// One at a time: a batch would hold leases that run out.
	for taken := s.call("claim_recovery", args); len(taken) > 0; taken = s.call("claim_recovery", args) {
		settled = append(settled, s.settleTaken(taken[0]))
	}
	for _, taken := range s.call("take_over", with(args, row{"now_please": one != nil, "limit": 10})) {
		settled = append(settled, s.settleTaken(taken))
	}
	return settled
}

func (s service) settleTaken(taken row) row {
	hold("taken")
	to, err := s.decide(taken)
	if errors.Is(err, errFenced) {
		to = "fenced"
	} else if _, asked := taken["action"]; !asked { // of what an operator asked for, the settlement itself is the event
		detail := row{"from": taken["state"], "to": must(to, err)}
		s.note(taken, "reconciled", row{"fence": taken["fence"], "detail": detail})
	}
	return row{"operationId": id(taken["operation_id"]), "to": to}
}

func (s service) decide(taken row) (string, error) {
	if taken["stage"] == "RECEIVED" || taken["stage"] == "LOCAL_PAYMENT_CREATED" {
		return "FAILED_RETRYABLE", s.owned("fail_retryable", taken, row{"error_code": "transient.owner_lost"})
	}
	if err := s.owned("extend_lease", taken, row{"lease_ms": leaseMs}); err != nil { // the mail house may be slow
		return "", err
	}
	lookUp := newID()
	journal := row{"id": lookUp, "provider_key": taken["provider_key"], "provider": "mailhouse", "kind": "lookup"}
	if err := s.owned("journal_provider_request", taken, journal); err != nil {
		return "", err
	}
	var reference, invoice string
	var cmd command
	find := "select coalesce((select reference from mailhouse.letters where provider_key = $1), '')"
	if err := s.QueryRow(s, find, taken["provider_key"]).Scan(&reference); err != nil {
		return "", err
	}
	known := "select id::text, customer, amount::text from billing.invoices where operation_id = $1"
	if err := s.QueryRow(s, known, taken["operation_id"]).Scan(&invoice, &cmd.Customer, &cmd.Amount); err != nil {
		return "", err
	}
	found, finding := "absent", "the mail house does not know it"
	if reference != "" {
		found, finding = "succeeded", "the mail house has it"
	}
	s.call("answer_provider", row{"tenant": tenant, "request": lookUp, "outcome": found, "reference": reference})
	decision := taken["outcome"] // of a person; nil where nobody decided
	untold := row{"event_id": nil}
	switch {
	case decision == "failed" && reference == "": // a person's word never stands against the mail house's
		_, err := s.settle(taken, "failed", invoice, cmd, untold)
		return "FAILED_REPLAYABLE", err
	case decision == "succeeded" || decision == nil && reference != "":
		_, err := s.settle(taken, "issued", invoice, cmd, untold)
		return "COMPLETED", err
	}
	return "UNKNOWN_REQUIRES_RECOVERY", s.owned("mark_unknown", taken, row{"finding": finding, "checked": true, "next_check_ms": 60_000})
}

func (s service) receive(messageID, operationID string) row {
	payload := text(row{"data": row{"operationId": operationID}})
	rows := s.call("receive", row{"tenant": tenant, "id": newID(), "arrival_id": newID(), "consumer": consumer, "source": "bank",
		"message_id": messageID, "type": "invoice.paid", "operation_id": operationID, "payload": payload, "payload_hash": hash(payload),
		"headers": "{}", "request_id": nil})
	return row{"outcome": rows[0]["outcome"]}
}

// consume handles what came for our consumer: its effect and the mark that it was handled are one transaction.
func (s service) consume() row {
	handled := []row{}
	for _, alone := range []bool{false, true} {
		args := row{"tenant": tenant, "owner": instance, "consumers": []string{consumer}, "alone": alone}
		for rows := s.call("claim_inbox", args); len(rows) > 0; rows = s.call("claim_inbox", args) {
			handled = append(handled, row{"messageId": rows[0]["message_id"], "result": s.handle(rows[0])})
		}
	}
	return row{"handled": handled}
}

func (s service) handle(message row) any {
	err := pgx.BeginFunc(s, s.Conn, func(tx pgx.Tx) error {
		paid, err := tx.Exec(s, "update billing.invoices set status = 'paid' where operation_id = $1", message["operation_id"])
		if err != nil || paid.RowsAffected() == 0 {
			return cmp.Or(err, errors.New("There is no invoice of this operation."))
		}
		held := row{"ids": [][16]byte{message["id"].([16]byte)}, "fences": []int32{message["fence"].(int32)}, "results": []string{"paid"}}
		if len(s.call("finish_inbox", with(held, row{"tenant": tenant}))) == 0 {
			return errFenced
		}
		return nil
	})
	if err == nil {
		return "paid"
	}
	failed := row{"error_code": "billing.no_invoice", "error": err.Error(), "delay_ms": 60_000}
	return s.call("fail_inbox", with(failed, row{"tenant": tenant, "id": message["id"], "fence": message["fence"]}))[0]["fail_inbox"]
}

func main() {
	ctx, args := context.Background(), os.Args[2:]
	s := service{ctx, must(pgx.Connect(ctx, os.Args[1]))}
	answer := row{}
	switch args[0] {
	case "register":
		answer = s.register()
	case "issue":
		var err error
		if answer, err = s.issue(args[1], command{args[3], args[2]}); errors.Is(err, errFenced) {
			answer, err = row{"outcome": "fenced"}, nil
		}
		must(answer, err)
	case "recover":
		answer["recovered"] = s.recover(nil)
	case "receive":
		answer = s.receive(args[1], args[2])
	case "consume":
		answer = s.consume()
	}
	fmt.Println(text(answer))
}
