import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import type { AuditAction } from "@/domain/access/audit-action";
import { signedText } from "@/domain/access/audit-text";
import { auditKey } from "@/engine/audit/signer";

/** Who acted, as the audit names them. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

export interface WeekPeople {
  readonly admin: Person;
  readonly operator: Person;
  readonly approver: Person;
}

/** What somebody did at a time that is over. */
export interface BookEntry {
  readonly at: Date;
  /** `plans`: a row of a plan, done by the worker. */
  readonly by: Person | "plans";
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  readonly reason: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly affected?: number;
  readonly evidence?: unknown;
}

/** As `append_audit`, at another time than now: the hash is made by the same function, and the signature by the process's key. */
const APPEND = `with head as (
  insert into onceboard.audit_heads as h (tenant_id, sequence, hash) values ($1, 0, sha256(convert_to($1, 'utf8')))
  on conflict (tenant_id) do update set sequence = h.sequence returning h.sequence, h.hash
), link as (
  select head.sequence + 1 as sequence, head.hash as previous, onceboard.audit_hash_2(head.hash, $1, $2::uuid, head.sequence + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as hash from head
)
insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id, reason, before, after, evidence, request_id, previous_hash, hash, hash_version, key_id, signature)
select $1, $2::uuid, sequence, $3::timestamptz, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12::jsonb, $13::jsonb, $14, previous, hash, 2, $15, $16 from link
returning sequence, hash`;
const HEAD = "update onceboard.audit_heads h set sequence = $2, hash = $3 where h.tenant_id = $1";

/** An action of a person is an operation too. */
const OPERATION = `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version, state, fence, attempts,
  response_status, response_schema_version, resource_type, resource_id, replay, body_day, body_purged_at, reference, created_at, updated_at, completed_at, expires_at, purge_after)
select $1, $2, $3, $4::uuid, $5, $6, 1, '1', case when t.at < now() - interval '24 hours' then 'EXPIRED' else 'COMPLETED' end, 1, 1, 200, 'admin-action-1', $7, $8,
  case when t.at < now() - interval '24 hours' then 'stored' else 'none' end, (t.at at time zone 'utc')::date, case when t.at < now() - interval '24 hours' then t.at + interval '24 hours' end, $8,
  t.at, t.at, t.at, t.at + interval '24 hours', t.at + interval '90 days' from (select $9::timestamptz as at) t`;
const EVENTS = `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client, fence, attempt, latency_ms, status)
select $1, ($5::timestamptz at time zone 'utc')::date, e.id::uuid, $2::uuid, $3, $5::timestamptz, e.type, e.outcome, $6, $4, 1, 1, e.latency, e.status
from (values ($7, 'claimed', null, null, null), ($8, 'executed', 'executed', 40, 200::smallint)) e(id, type, outcome, latency, status)`;

/** Writes what people did, in its order, each with its operation and its link of the chain. */
export async function writeBook(tx: Queryable, tenant: string, book: readonly BookEntry[]): Promise<void> {
  for (const entry of [...book].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const request = uuidv7({ msecs: entry.at.getTime() });
    await append(tx, tenant, entry, request);
    if (entry.by !== "plans") await operation(tx, tenant, entry, entry.by, request);
  }
}

async function append(tx: Queryable, tenant: string, entry: BookEntry, request: string): Promise<void> {
  const { at, by, action, subject, reason, before, affected = 1, evidence } = entry;
  const [kind = "", id = "", name = ""] = by === "plans" ? ["system", "plans", "plans"] : ["operator", by.id, by.name];
  const after = { ...entry.after, changed: true, affected, skipped: [] };
  const said = {
    ...{
      chain: tenant,
      id: uuidv7({ msecs: at.getTime() }),
      actorKind: kind,
      actorId: id,
      actorName: name,
      action,
      reason,
    },
    ...{
      subjectType: subject.type,
      subjectId: subject.id,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    },
    evidence: evidence === undefined ? null : JSON.stringify(evidence),
    requestId: request,
  };
  const key = auditKey();
  const { rows } = await tx.query<{ sequence: bigint; hash: Buffer }>({
    text: APPEND,
    values: [
      ...[tenant, said.id, at, kind, id, name, action, subject.type, subject.id, reason],
      ...[said.before, said.after, said.evidence, request, key?.id, key?.sign(signedText(said))],
    ],
  });
  await tx.query({ text: HEAD, values: [tenant, rows[0]?.sequence, rows[0]?.hash] });
}

async function operation(
  tx: Queryable,
  tenant: string,
  { at, action, subject }: BookEntry,
  by: Person,
  request: string,
): Promise<void> {
  const name = `admin.${action}`;
  const time = { msecs: at.getTime() };
  const id = uuidv7(time);
  const fingerprint = createHash("sha256").update(`${name} ${subject.id} ${request}`).digest();
  await tx.query({
    text: OPERATION,
    values: [tenant, name, `operator:${by.id}:${uuidv7(time)}`, id, by.name, fingerprint, subject.type, subject.id, at],
  });
  await tx.query({
    text: EVENTS,
    values: [tenant, id, name, by.name, at, request, uuidv7(time), uuidv7(time)],
  });
}
