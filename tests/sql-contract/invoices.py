"""A service that is not written in Node and speaks nothing but SQL: it issues invoices, once per key.

It does all that docs/SQL-CONTRACT.md describes: claim, replay, conflict, provider path, take-over, completion with an outbox
row, and the events that a person reads later. It needs psycopg2 and a login in the role onceboard_service.

    invoices.py DATABASE_URL issue KEY CUSTOMER MINOR_UNITS     sends the invoice through a mail house (provider path)
    invoices.py DATABASE_URL draft KEY CUSTOMER MINOR_UNITS     writes a row and no more (local path: one transaction)
    invoices.py DATABASE_URL recover                            settles what a dead instance left behind

Each prints one line of JSON. Options in the environment: INSTANCE names this process; HOLD=claimed|prepared|marked|sent|drafted
makes it print {"holding": …} there and wait for a line of input, so that a test can kill it; PRIVATE=1 stores no command.
"""

import base64
import hashlib
import json
import os
import sys
import time
import uuid
from datetime import datetime, timezone

import psycopg2

TENANT = "acme"
PRINCIPAL = "billing"
INSTANCE = os.environ.get("INSTANCE", "billing-1")
LEASE_MS = 30_000
SCHEMA_VERSION = "2026-02-01"
FENCED = "OB001"  # complete(): somebody else owns the operation now


class Fenced(Exception):
    """Somebody took the operation over: whatever we do about it from here on is not ours to do."""


def connect(url):
    connection = psycopg2.connect(url, application_name=INSTANCE)
    connection.autocommit = True  # each call is its own transaction unless we say otherwise
    return connection


def call(db, function, **args):
    """Calls a function of the contract with named arguments. Gives its rows as dictionaries."""
    names = ", ".join(f"p_{name} => %({name})s" for name in args)
    with db.cursor() as cursor:
        cursor.execute(f"select * from onceboard.{function}({names})", args)
        columns = [column.name for column in cursor.description]
        return [dict(zip(columns, row)) for row in cursor.fetchall()]


def owned(db, function, claim, **args):
    """A write of the owner. It carries the fence; `false` says that the fence is not ours any more."""
    done = call(db, function, tenant=TENANT, operation_id=claim["operation_id"], fence=claim["fence"], **args)
    if done[0][function] is False:
        raise Fenced()


def new_id():
    """UUIDv7: sorts by time, so indexes stay warm."""
    bits = (int(time.time() * 1000) << 80) | int.from_bytes(os.urandom(10), "big")
    bits = bits & ~(0xF << 76) | (0x7 << 76)
    return str(uuid.UUID(int=bits & ~(0x3 << 62) | (0x2 << 62)))


def canonical(command):
    """Our own rule for version 0 of the fingerprint: members sorted, no white space, amounts in minor units as text."""
    return json.dumps(command, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def claim_key(db, operation, key, command):
    stored = b"\x00" + canonical(command).encode()  # first byte 0: as it is, the console may read it
    return call(
        db,
        "claim",
        tenant=TENANT,
        operation=operation,
        key=key,
        operation_id=new_id(),
        principal=PRINCIPAL,
        fingerprint=hashlib.sha256(canonical(command).encode()).digest(),
        owner=INSTANCE,
        lease_ms=LEASE_MS,
        account=command["customer"],
        amount=int(command["amount"]),
        currency="EUR",
        command=None if os.environ.get("PRIVATE") else stored,
    )[0]


def record(db, row, operation, outcome, **more):
    """What a caller was told, for the people who look later. The answer of the first caller is recorded by complete()."""
    at = row["asked_at"].isoformat()
    note(db, {**row, "operation": operation}, outcome, at=at, outcome=outcome, client=PRINCIPAL, **more)


def note(db, row, kind, **more):
    event = {"tenant_id": TENANT, "id": new_id(), "operation_id": row["operation_id"], "operation": row["operation"]}
    at = datetime.now(timezone.utc).isoformat()
    call(db, "record_events", events=json.dumps([{"at": at, "actor": INSTANCE, **event, "type": kind, **more}]))


def answer_existing(db, row, operation, command):
    """The key stands for something already. Nothing runs here, except what a dead owner left."""
    outcome = row["outcome"]
    if outcome == "replay":
        body = bytes(row["body"])[1:]
        served = hashlib.sha256(body).hexdigest()
        record(db, row, operation, "replayed", status=row["response_status"], served_hash=served)
        return {"outcome": "replayed", "status": row["response_status"], "body": body.decode()}
    if outcome == "conflict":
        record(db, row, operation, "conflict", status=409, code="idempotency.payload_mismatch", **compared(row, command))
    elif outcome in ("stale", "unknown"):
        settled = recover(db, operation_id=row["operation_id"])
        return {"outcome": outcome, "recovered": settled}
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
    return {
        "id": message_id,
        "aggregate_type": "invoice",
        "aggregate_id": invoice_id,
        "topic": "invoices",
        "type": "invoice.issued",
        "payload": payload,
        "headers": {},
    }


def complete(db, claim, invoice_id, command, told=True):
    """The answer, the outbox row and, when a caller is told now, the event of it: all of them or none. Raises Fenced."""
    body = canonical({"invoiceId": invoice_id, **command}).encode()
    try:
        call(
            db,
            "complete",
            tenant=TENANT,
            operation_id=claim["operation_id"],
            fence=claim["fence"],
            state="COMPLETED",
            status=201,
            schema_version=SCHEMA_VERSION,
            resource_type="invoice",
            resource_id=invoice_id,
            headers=json.dumps({"content-type": "application/json"}),
            body=b"\x00" + body,
            outbox=json.dumps([invoice_message(invoice_id, claim["operation_id"], command)]),
            client=PRINCIPAL,
            event_id=new_id() if told else None,
            attempt=claim.get("attempts"),
            served_hash=hashlib.sha256(body).digest(),
        )
    except psycopg2.Error as error:
        if error.pgcode == FENCED:
            raise Fenced() from error
        raise
    return {"outcome": "executed", "status": 201, "body": body.decode()}


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
    return settle_issued(db, row, invoice_id, command)


def settle_issued(db, claim, invoice_id, command, told=True):
    db.autocommit = False
    with db:  # Fenced undoes the invoice too
        with db.cursor() as cursor:
            cursor.execute("update billing.invoices set status = 'issued' where id = %s", (invoice_id,))
        answer = complete(db, claim, invoice_id, command, told)
    db.autocommit = True
    return answer


def recover(db, operation_id=None):
    """Takes over what nobody owns any more: before the send it is free to run again, after it the mail house is asked."""
    args = {"operation_id": operation_id, "now_please": True} if operation_id else {}
    taken = call(
        db, "take_over", tenant=TENANT, owner=INSTANCE, lease_ms=LEASE_MS, limit=10, operations=["invoices.issue"], **args
    )
    settled = []
    for row in taken:
        try:
            to = settle_taken(db, row)
            note(db, row, "reconciled", fence=row["fence"], detail={"from": row["state"], "to": to})
            settled.append({"operationId": row["operation_id"], "to": to})
        except Fenced:
            settled.append({"operationId": row["operation_id"], "to": "fenced"})
    return settled


def settle_taken(db, row):
    if row["stage"] in ("RECEIVED", "LOCAL_PAYMENT_CREATED"):
        owned(db, "fail_retryable", row, error_code="transient.owner_lost")
        return "FAILED_RETRYABLE"
    look_up = new_id()
    journal = {"provider_key": row["provider_key"], "provider": "mailhouse", "kind": "lookup"}
    owned(db, "journal_provider_request", row, id=look_up, **journal)
    reference = mailhouse_find(db, row["provider_key"])
    if reference is None:
        call(db, "answer_provider", tenant=TENANT, request=look_up, outcome="absent")
        owned(db, "mark_unknown", row, finding="the mail house does not know it", checked=True, next_check_ms=60_000)
        return "UNKNOWN_REQUIRES_RECOVERY"
    call(db, "answer_provider", tenant=TENANT, request=look_up, outcome="succeeded", reference=reference)
    with db.cursor() as cursor:
        cursor.execute(
            "select id, customer, amount from billing.invoices where operation_id = %s", (row["operation_id"],)
        )
        invoice_id, customer, amount = cursor.fetchone()
    settle_issued(db, row, invoice_id, {"customer": customer, "amount": str(amount)}, told=False)
    return "COMPLETED"


def insert_invoice(db, operation_id, command, status):
    """One invoice per operation, also when it runs again under its key."""
    with db.cursor() as cursor:
        cursor.execute(
            """insert into billing.invoices (id, operation_id, customer, amount, status) values (%s, %s, %s, %s, %s)
               on conflict (operation_id) do update set status = excluded.status returning id""",
            (new_id(), operation_id, command["customer"], command["amount"], status),
        )
        return cursor.fetchone()[0]


def mailhouse_send(db, provider_key):
    """Another company. It dedupes by our key, and commits on its own: nothing of ours can undo it."""
    with db.cursor() as cursor:
        cursor.execute(
            """insert into mailhouse.letters (provider_key) values (%s)
               on conflict (provider_key) do update set asked = letters.asked + 1 returning reference""",
            (provider_key,),
        )
        return cursor.fetchone()[0]


def mailhouse_find(db, provider_key):
    with db.cursor() as cursor:
        cursor.execute("select reference from mailhouse.letters where provider_key = %s", (provider_key,))
        row = cursor.fetchone()
        return row and row[0]


def hold(point):
    if os.environ.get("HOLD") == point:
        print(json.dumps({"holding": point}), flush=True)
        sys.stdin.readline()


def main(url, verb, *args):
    db = connect(url)
    if verb == "recover":
        return {"recovered": recover(db)}
    key, customer, amount = args
    command = {"customer": customer, "amount": amount}
    try:
        return (issue if verb == "issue" else draft)(db, key, command)
    except Fenced:
        return {"outcome": "fenced"}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])), flush=True)
