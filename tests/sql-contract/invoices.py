"""A service that is not written in Node and speaks nothing but SQL: it issues invoices, once per key.

It does what docs/SQL-CONTRACT.md describes. It needs psycopg2 and a login in the role onceboard_service.

    invoices.py DATABASE_URL register                           says what the console shows of its operations
    invoices.py DATABASE_URL issue KEY CUSTOMER MINOR_UNITS     sends the invoice through a mail house (provider path)
    invoices.py DATABASE_URL draft KEY CUSTOMER MINOR_UNITS     writes a row and no more (local path: one transaction)
    invoices.py DATABASE_URL recover                            settles what operators ask for, and what a dead instance left behind
    invoices.py DATABASE_URL receive MESSAGE_ID OPERATION_ID    records the message that an invoice was paid
    invoices.py DATABASE_URL consume                            handles such messages

Each prints one line of JSON. Options in the environment: INSTANCE names this process; HOLD=claimed|prepared|marked|sent|drafted|taken
makes it print {"holding": …} there and wait for a line of input, so that a test can kill it; PRIVATE=1 stores no command.
"""

import base64
import hashlib
import json
import os
import sys
import uuid
from datetime import datetime, timezone

import psycopg2

from contract import TENANT, Fenced, call, canonical, hold, new_id, one, owned

PRINCIPAL = "billing"
SERVICE = "invoices-py"
CONSUMER = "billing.payments"
INSTANCE = os.environ.get("INSTANCE", "billing-1")
LEASE_MS = 30_000
FENCED = "OB001"  # complete(): somebody else owns the operation now
POLICY = ("lease_ms", "ttl_seconds", "metadata_days", "max_attempts", "expired")  # what claim() takes of it


def register(db):
    words = {"once": "One invoice was sent.", "none": "No invoice was sent.", "doubt": "It is not known whether an invoice was sent."}
    expects = json.dumps({**words, "event": "invoice.issued", "entry": "none"})
    asked = {"provider": "mailhouse", "dedupes_for_hours": float("inf"), "queryable": True, "actions": ["reconcile", "resolve", "release"]}
    own = {"owner": SERVICE, "version": "1"}
    issue = call(db, "register_operation_kind", name="invoices.issue", label="Invoice", path="provider", expects=expects, **asked, **own)
    draft = call(db, "register_operation_kind", name="invoices.draft", label="Draft", path="local", **own)
    return {"changed": [row["register_operation_kind"] for row in issue + draft]}


def claim_key(db, operation, key, command):
    decided = call(db, "operation_policy", tenant=TENANT, operation=operation)[0]
    policy = {"lease_ms": LEASE_MS, **{name: decided[name] for name in POLICY if decided[name] is not None}}
    stored = b"\x00" + canonical(command).encode()  # first byte 0: as it is, the console may read it
    facts = {"account": command["customer"], "amount": int(command["amount"]), "currency": "EUR"}
    fingerprint = hashlib.sha256(canonical(command).encode()).digest()
    asked = {"operation": operation, "key": key, "operation_id": new_id(), "principal": PRINCIPAL, "fingerprint": fingerprint}
    kept = None if os.environ.get("PRIVATE") else stored
    return call(db, "claim", tenant=TENANT, owner=INSTANCE, command=kept, **asked, **facts, **policy)[0]


def note(db, row, kind, **more):
    """For the people who look later. What the first caller was told is recorded by complete()."""
    event = {"tenant_id": TENANT, "id": new_id(), "operation_id": row["operation_id"], "actor": INSTANCE, "type": kind}
    at = row.get("asked_at", datetime.now(timezone.utc)).isoformat()
    call(db, "record_events", events=json.dumps([{"at": at, **event, **more}]))


def answer_existing(db, row, operation, command):
    """The key stands for something already. Nothing runs here, except what a dead owner left."""
    outcome, told = row["outcome"], {"operation": operation, "client": PRINCIPAL}
    if outcome == "replay":
        body, status = bytes(row["body"])[1:], row["response_status"]
        note(db, row, "replayed", outcome="replayed", status=status, served_hash=hashlib.sha256(body).hexdigest(), **told)
        return {"outcome": "replayed", "status": status, "body": body.decode()}
    if outcome == "conflict":
        code = "idempotency.payload_mismatch"
        note(db, row, "conflict", outcome="conflict", status=409, code=code, **told, **compared(row, command))
    elif outcome in ("stale", "unknown"):
        return {"outcome": outcome, "recovered": recover(db, operation_id=row["operation_id"])}
    return {"outcome": outcome, "state": row["state"]}


def compared(row, command):
    """Both commands lie side by side on the conflicts page: the first one is stored, the second goes with the event."""
    if os.environ.get("PRIVATE"):
        return {}
    first = json.loads(bytes(row["command"])[1:])
    differing = sorted(name for name in first.keys() | command.keys() if first.get(name) != command.get(name))
    second = base64.b64encode(b"\x00" + canonical(command).encode()).decode()
    return {"command": second, "detail": {"differingFields": differing}}


def invoice_message(invoice_id, operation_id, command):
    message_id = str(uuid.uuid5(uuid.UUID(operation_id), "invoice.issued"))  # the same one in every recovery
    data = {"operationId": operation_id, "invoiceId": invoice_id, **command}
    payload = {"id": message_id, "type": "invoice.issued", "tenant": TENANT, "data": data}
    about = {"aggregate_type": "invoice", "aggregate_id": invoice_id, "topic": "invoices", "type": "invoice.issued"}
    return {"id": message_id, **about, "payload": payload, "headers": {}}


def complete(db, claim, invoice_id, command, told=True, refused=None):
    """The answer, the outbox row and, when a caller is told now, the event of it: all of them or none. Raises Fenced."""
    answer = {"code": refused} if refused else {"invoiceId": invoice_id, **command}
    status, state = (422, "FAILED_REPLAYABLE") if refused else (201, "COMPLETED")
    body = canonical(answer).encode()
    kept = {"headers": json.dumps({"content-type": "application/json"}), "body": b"\x00" + body, "schema_version": "2026-02-01"}
    made = {"resource_type": "invoice", "resource_id": invoice_id, "error_code": refused}
    outbox = None if refused else json.dumps([invoice_message(invoice_id, claim["operation_id"], command)])
    event = {"event_id": new_id() if told else None, "attempt": claim.get("attempts"), "client": PRINCIPAL}
    served = hashlib.sha256(body).digest()
    try:
        owned(db, "complete", claim, state=state, status=status, outbox=outbox, served_hash=served, **made, **kept, **event)
    except psycopg2.Error as error:
        if error.pgcode == FENCED:
            raise Fenced() from error
        raise
    return {"outcome": "executed", "status": status, "body": body.decode()}


def draft(db, key, command):
    """Local path: key, business row, outbox row and answer commit together. A death before the commit leaves nothing."""
    db.autocommit = False
    with db:
        row = claim_key(db, "invoices.draft", key, command)
        if row["outcome"] == "claimed":
            invoice_id = insert_invoice(db, row["operation_id"], command, "draft")
            hold("drafted")
            return complete(db, row, invoice_id, command)
    db.autocommit = True
    return answer_existing(db, row, "invoices.draft", command)


def issue(db, key, command):
    """Provider path: the claim is committed, no transaction is open during the call, and the send is marked before it."""
    row = claim_key(db, "invoices.issue", key, command)
    if row["outcome"] != "claimed":
        return answer_existing(db, row, "invoices.issue", command)
    hold("claimed")
    request = new_id()
    db.autocommit = False
    with db:
        invoice_id = insert_invoice(db, row["operation_id"], command, "pending")
        provider = {"provider_key": f"invoice_{invoice_id}", "provider": "mailhouse", "kind": "send"}
        owned(db, "prepare_provider", row, id=request, amount=int(command["amount"]), currency="EUR", **provider)
    db.autocommit = True
    hold("prepared")
    owned(db, "mark_sent", row, request=request)  # committed before the first byte leaves
    hold("marked")
    reference = mailhouse_send(db, provider["provider_key"])
    hold("sent")
    call(db, "answer_provider", tenant=TENANT, request=request, outcome="succeeded", reference=reference)
    owned(db, "confirm_provider", row)
    return settle(db, row, "issued", invoice_id, command)


def settle(db, claim, status, invoice_id, command, **how):
    db.autocommit = False
    with db:  # Fenced undoes the invoice too
        one(db, "update billing.invoices set status = %s where id = %s returning 1", status, invoice_id)
        answer = complete(db, claim, invoice_id, command, **how)
    db.autocommit = True
    return answer


def recover(db, operation_id=None):
    """What operators ask for; then what nobody owns: before the send it is free to run again, after it the mail house is asked."""
    taken = {"tenant": TENANT, "owner": INSTANCE, "lease_ms": LEASE_MS, "operations": ["invoices.issue"]}
    if operation_id:
        taken["operation_id"] = operation_id
    settled = [settle_taken(db, row) for row in iter_rows(lambda: call(db, "claim_recovery", **taken))]
    return settled + [settle_taken(db, row) for row in call(db, "take_over", limit=10, now_please=bool(operation_id), **taken)]


def iter_rows(take):
    """One at a time: a batch would hold leases that run out."""
    while rows := take():
        yield rows[0]


def settle_taken(db, row):
    hold("taken")
    try:
        to = decide(db, row)
        if "action" not in row:  # of what an operator asked for, the settlement itself is the event
            detail = {"from": row["state"], "to": to}
            note(db, row, "reconciled", operation=row["operation"], fence=row["fence"], detail=detail)
    except Fenced:
        db.autocommit = True
        to = "fenced"
    return {"operationId": row["operation_id"], "to": to}


def decide(db, row):
    if row["stage"] in ("RECEIVED", "LOCAL_PAYMENT_CREATED"):
        owned(db, "fail_retryable", row, error_code="transient.owner_lost")
        return "FAILED_RETRYABLE"
    owned(db, "extend_lease", row, lease_ms=LEASE_MS)  # the mail house may be slow
    look_up = new_id()
    journal = {"provider_key": row["provider_key"], "provider": "mailhouse", "kind": "lookup"}
    owned(db, "journal_provider_request", row, id=look_up, **journal)
    reference = mailhouse_find(db, row["provider_key"])
    found = {"outcome": "succeeded" if reference else "absent", "reference": reference}
    call(db, "answer_provider", tenant=TENANT, request=look_up, **found)
    text = "select id, customer, amount from billing.invoices where operation_id = %s"
    invoice_id, customer, amount = one(db, text, row["operation_id"])
    command = {"customer": customer, "amount": str(amount)}
    decision = row["outcome"] if row.get("action") == "resolve" else None
    if decision == "failed" and not reference:  # a person's word never stands against the mail house's
        settle(db, row, "failed", invoice_id, command, told=False, refused="invoice.not_sent")
        return "FAILED_REPLAYABLE"
    if reference and decision != "failed" or decision == "succeeded":
        settle(db, row, "issued", invoice_id, command, told=False)
        return "COMPLETED"
    finding = "the mail house " + ("has it" if reference else "does not know it")
    owned(db, "mark_unknown", row, finding=finding, checked=True, next_check_ms=60_000)
    return "UNKNOWN_REQUIRES_RECOVERY"


def receive(db, message_id, operation_id):
    payload = canonical({"data": {"operationId": operation_id}})
    hashed = {"payload": payload, "payload_hash": hashlib.sha256(payload.encode()).digest(), "headers": "{}", "request_id": None}
    named = {"consumer": CONSUMER, "source": "bank", "message_id": message_id, "type": "invoice.paid", "operation_id": operation_id}
    return {"outcome": call(db, "receive", tenant=TENANT, id=new_id(), arrival_id=new_id(), **named, **hashed)[0]["outcome"]}


def consume(db):
    """What came for our consumer: its effect and the mark that it was handled are one transaction."""
    mine = {"tenant": TENANT, "owner": INSTANCE, "consumers": [CONSUMER]}
    rows = [row for alone in (False, True) for row in iter_rows(lambda: call(db, "claim_inbox", alone=alone, **mine))]
    return {"handled": [{"messageId": row["message_id"], "result": handle(db, row)} for row in rows]}


def handle(db, row):
    db.autocommit = False
    try:
        with db:
            text = "update billing.invoices set status = 'paid' where operation_id = %s returning 1"
            if one(db, text, row["operation_id"]) is None:
                raise LookupError("There is no invoice of this operation.")
            if not call(db, "finish_inbox", tenant=TENANT, ids="{%s}" % row["id"], fences=[row["fence"]], results=["paid"]):
                raise Fenced()
        return "paid"
    except LookupError as error:
        failed = {"error_code": "billing.no_invoice", "error": str(error), "delay_ms": 60_000}
        with db:
            return call(db, "fail_inbox", tenant=TENANT, id=row["id"], fence=row["fence"], **failed)[0]["fail_inbox"]
    finally:
        db.autocommit = True


def insert_invoice(db, operation_id, command, status):
    """One invoice per operation, also when it runs again under its key."""
    text = """insert into billing.invoices (id, operation_id, customer, amount, status) values (%s, %s, %s, %s, %s)
              on conflict (operation_id) do update set status = excluded.status returning id"""
    return one(db, text, new_id(), operation_id, command["customer"], command["amount"], status)[0]


def mailhouse_send(db, provider_key):
    """Another company. It dedupes by our key, and commits on its own: nothing of ours can undo it."""
    text = """insert into mailhouse.letters (provider_key) values (%s)
              on conflict (provider_key) do update set asked = letters.asked + 1 returning reference"""
    return one(db, text, provider_key)[0]


def mailhouse_find(db, provider_key):
    row = one(db, "select reference from mailhouse.letters where provider_key = %s", provider_key)
    return row and row[0]


def main(url, verb, *args):
    db = psycopg2.connect(url, application_name=INSTANCE)
    db.autocommit = True  # each call is its own transaction unless we say otherwise
    if verb in ("issue", "draft"):
        key, customer, amount = args
        try:
            return (issue if verb == "issue" else draft)(db, key, {"customer": customer, "amount": amount})
        except Fenced:
            return {"outcome": "fenced"}
    others = {"register": register, "receive": receive, "consume": consume, "recover": lambda db: {"recovered": recover(db)}}
    return others[verb](db, *args)


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])), flush=True)
