"""What every call of docs/SQL-CONTRACT.md needs, and nothing of the business: invoices.py is the service."""

import json
import os
import sys
import time
import uuid

TENANT = "acme"


class Fenced(Exception):
    """Somebody took the operation over: whatever we do about it from here on is not ours to do."""


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


def one(db, text, *args):
    with db.cursor() as cursor:
        cursor.execute(text, args)
        return cursor.fetchone()


def canonical(command):
    """Our own rule for version 0 of the fingerprint: members sorted, no white space, amounts in minor units as text."""
    return json.dumps(command, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hold(point):
    if os.environ.get("HOLD") == point:
        print(json.dumps({"holding": point}), flush=True)
        sys.stdin.readline()
