import type { TestEnvironment } from "./environment";

/**
 * What must be said of an operation, written over the raw rows and nothing else: no read, no view and no word of the console
 * is used here. A claim is a name with the numbers that its sentence must have, in any order; none: they are not held.
 */
export interface OracleClaim {
  readonly about:
    | "verdict"
    | "operation"
    | "provider"
    | "gap"
    | "outbox"
    | "inbox"
    | "retries"
    | "proof"
    | "first"
    | "mini"
    | "known";
  readonly name: string;
  readonly numbers: readonly number[] | null;
}

/** Facts of one operation by SQL: `$1` tenant, `$2` operation, `$3` the moment at which the page was read. */
const FACTS = `
with r as (
  select q.*, coalesce(o.checks, 0) as checks, coalesce(o.last_finding = 'kept waiting by a person', false) as kept, o.owner, o.locked_until, o.stage, o.operation_id is not null as is_open,
    q.state = 'IN_PROGRESS' and o.locked_until <= $3::timestamptz as stale,
    q.operation = 'payments.create' as pays, q.expires_at <= $3::timestamptz or q.state = 'EXPIRED' as over,
    q.state = 'COMPLETED' or (q.state = 'EXPIRED' and q.response_status < 400) as ok,
    q.state = 'FAILED_REPLAYABLE' or (q.state = 'EXPIRED' and q.response_status >= 400) as refused,
    q.state = 'FAILED_RETRYABLE' or (q.state = 'EXPIRED' and q.response_status is null) as no_effect,
    q.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY') as open
  from onceboard.idempotency_requests q
  left join onceboard.idempotency_open o on o.tenant_id = q.tenant_id and o.operation_id = q.operation_id
  where q.tenant_id = $1 and q.operation_id = $2),
p as (select * from onceboard.provider_requests where tenant_id = $1 and operation_id = $2),
fx as (select * from p where kind <> 'lookup'),
-- Signed events by the provider's key, whatever operation their row names.
hook as (
  select m.payload -> 'data' ->> 'status' as status, m.payload -> 'data' ->> 'providerKey' as key, m.received_at from onceboard.inbox_messages m
  where m.tenant_id = $1 and m.source = 'provider' and m.payload -> 'data' ->> 'providerKey' in (select provider_key from p)),
last as (select * from fx order by prepared_at desc, id desc limit 1),
ev as (select * from onceboard.idempotency_events where tenant_id = $1 and operation_id = $2),
ans as (select * from ev where outcome is not null),
out as (
  select id, state, attempts_started as tries from onceboard.outbox_messages where tenant_id = $1 and operation_id = $2 and not headers ? 'notification'
  union all
  select id, 'published', attempts_started from onceboard.outbox_history where tenant_id = $1 and operation_id = $2 and not headers ? 'notification'),
own as (
  select m.* from onceboard.inbox_messages m where m.tenant_id = $1 and m.operation_id = $2 and m.source = 'onceboard'),
inb as (
  select m.state, coalesce(o.attempts_started, m.attempts_started) as tries, m.received_at, m.id from onceboard.inbox_messages m
  left join onceboard.inbox_open o on o.tenant_id = m.tenant_id and o.id = m.id where m.tenant_id = $1 and m.operation_id = $2),
ledger as (select * from onceboard.ledger_entries where tenant_id = $1 and operation_id = $2),
f as (
  select r.*,
    (select ev.detail ->> 'decision' from ev where ev.type = 'resolved' and ev.fence = r.fence and not r.open
       and ev.detail ->> 'decision' in ('succeeded', 'failed') limit 1) as hand,
    exists (select 1 from p where outcome = 'succeeded') or exists (select 1 from hook where status = 'succeeded') as acted,
    exists (select 1 from p where outcome = 'declined' and provider_key = (select provider_key from last))
      or exists (select 1 from hook where status in ('declined', 'failed') and key = (select provider_key from last)) as denied,
    (select count(distinct provider_reference)::int from p where outcome = 'succeeded') as objects,
    (select count(*)::int from fx where state <> 'prepared') as sent,
    (select count(distinct provider_key)::int from fx where state <> 'prepared') as sent_keys,
    (select count(*)::int from p where kind = 'lookup') as looked,
    (select count(*)::int from fx) as calls,
    (select provider from p order by prepared_at desc limit 1) as provider,
    (select provider in ('sandbox', 'sandbox-query-only') from p order by prepared_at desc limit 1) as queryable,
    (select status from hook where key = (select provider_key from last) order by received_at desc limit 1) as newest_hook,
    (select count(*)::int from ans where served_hash is not null) as served,
    (select count(distinct served_hash)::int from ans) as bytes,
    (select count(*)::int from ans where outcome = 'conflict') as conflicts,
    (select count(*)::int from ans where outcome <> 'conflict') as answered,
    (select count(*)::int from ledger) as entries, (select count(*)::int from out) as outs, (select count(*)::int from inb) as ins,
    (select tries from out where state = 'dead' limit 1) as dead_out, (select tries from inb where state = 'dead' order by received_at, id limit 1) as dead_in,
    $3::timestamptz - coalesce(r.completed_at, r.created_at) > interval '60 seconds' as late
  from r),
g as (
  select f.*, hand is not null and ((hand = 'succeeded' and denied) or (hand = 'failed' and acted)) as against,
    hand is not null and ((hand = 'succeeded' and acted and not denied) or (hand = 'failed' and denied and not acted)) as confirmed,
    pays and ok and entries = 0 and state = 'COMPLETED' as owed
  from f),
h as (select g.*, hand is not null and not confirmed as decided, open and (stale or state = 'UNKNOWN_REQUIRES_RECOVERY') as doubt from g)`;

type Row = readonly [about: OracleClaim["about"], name: string, holds: string, numbers?: string];

/** Each line: where it stands, its name, when it must stand there, and the numbers of its sentence. */
const CLAIMS: readonly Row[] = [
  ["verdict", "executed_often", "objects > 1", "array[objects]"],
  ["verdict", "proof_failed", "objects > 1", "array[objects, 1]"],
  ["verdict", "outcome_unknown", "state = 'UNKNOWN_REQUIRES_RECOVERY'"],
  ["verdict", "owner_silent", "stale"],
  ["verdict", "in_progress", "state = 'IN_PROGRESS' and not stale"],
  ["verdict", "executed_once", "ok and objects <= 1 and (hand is null or confirmed)", "array[1]"],
  ["verdict", "not_executed", "(refused or no_effect) and not acted and (hand is null or confirmed)", "'{}'"],
  ["verdict", "settled_by_hand", "decided", "'{}'"],
  ["verdict", "hand_confirmed", "confirmed", "'{}'"],
  ["verdict", "provider_acted_after_all", "(refused or no_effect) and hand is null and acted", "'{}'"],
  ["verdict", "provider_denies", "ok and hand is null and denied", "'{}'"],
  ["verdict", "may_run_again", "state = 'FAILED_RETRYABLE' and not over", "'{}'"],
  ["verdict", "refused_by_provider", "state = 'FAILED_REPLAYABLE' and hand is null and denied", "'{}'"],
  ["verdict", "refused_before_sending", "state = 'FAILED_REPLAYABLE' and hand is null and sent = 0", "'{}'"],
  [
    "verdict",
    "refusal_is_answer",
    "state = 'FAILED_REPLAYABLE' and (hand is not null or (sent > 0 and not denied))",
    "'{}'",
  ],
  ["verdict", "key_expired", "not open and over", "'{}'"],
  ["verdict", "stays_here", "doubt and not pays", "'{}'"],
  ["verdict", "nothing_sent", "doubt and pays and sent = 0", "'{}'"],
  ["verdict", "sent_once", "open and sent = 1", "array[1]"],
  ["verdict", "sent_often", "(open or state = 'COMPLETED') and sent > 1", "array[sent]"],
  ["verdict", "only_a_person", "doubt and sent > 0 and provider = 'sandbox-neither'", "'{}'"],
  [
    "verdict",
    "answered_without_outcome",
    "open and served = 0 and answered + conflicts > 0",
    "array[answered + conflicts]",
  ],
  ["verdict", "outcome_not_served", "(ok or refused) and served = 0 and answered > 0", "array[answered]"],
  ["verdict", "answered", "no_effect and served = 0 and answered > 0", "array[answered]"],
  ["verdict", "served_once", "served = 1", "array[1]"],
  ["verdict", "served_equal", "served > 1 and bytes = 1", "array[served]"],
  ["verdict", "served_different", "served > 1 and bytes > 1", "array[served]"],
  [
    "verdict",
    "other_requests",
    "served > 0 and answered > served",
    `array(select count(*)::int from ans where outcome <> 'conflict' and served_hash is null
       group by case when outcome in ('executed', 'replayed') then 'none' else outcome end)`,
  ],
  ["verdict", "other_command_refused", "not open and conflicts > 0", "array[conflicts]"],
  ["verdict", "outbox_dead", "dead_out is not null", "array[dead_out]"],
  ["verdict", "inbox_dead", "dead_in is not null", "array[dead_in]"],
  ["verdict", "no_outbox_row", "owed and outs = 0 and ins = 0", "'{}'"],
  ["verdict", "ledger_posted", "entries > 0", "'{}'"],
  [
    "verdict",
    "ledger_not_posted",
    "entries = 0 and (state = 'UNKNOWN_REQUIRES_RECOVERY' or (owed and (late or dead_out is not null or dead_in is not null)))",
    "'{}'",
  ],
  ["verdict", "ledger_not_yet", "owed and not late and dead_out is null and dead_in is null", "'{}'"],

  ["operation", "asked_by", "state = 'UNKNOWN_REQUIRES_RECOVERY' and owner is not null"],
  ["operation", "unowned", "state = 'UNKNOWN_REQUIRES_RECOVERY' and owner is null"],
  ["operation", "silent", "stale"],
  ["operation", "owned", "state = 'IN_PROGRESS' and not stale"],
  ["operation", "settled_by_hand", "hand is not null"],
  ["operation", "refused_here", "hand is null and refused and sent = 0"],
  ["operation", "refused", "hand is null and refused and sent > 0"],
  ["operation", "key_free", "hand is null and state = 'FAILED_RETRYABLE' and not over"],
  ["operation", "no_effect", "hand is null and no_effect and not (state = 'FAILED_RETRYABLE' and not over)"],
  ["operation", "one_transaction", "ok and not pays"],
  ["operation", "completed", "hand is null and ok and pays"],

  ["provider", "nothing_sent", "pays and sent = 0 and (not open or calls = 0)", "'{}'"],
  ["provider", "prepared", "pays and open and sent = 0 and calls > 0", "'{}'"],
  [
    "provider",
    "waiting",
    "pays and state = 'IN_PROGRESS' and not stale and sent > 0 and (select answered_at is null from last)",
    "array[sent]",
  ],
  [
    "provider",
    "answered",
    "pays and state = 'IN_PROGRESS' and not stale and sent > 0 and (select answered_at is not null from last)",
  ],
  ["provider", "doubt", "pays and doubt and sent > 0"],
  ["provider", "contradicts", "pays and against and sent > 0", "array[sent]"],
  ["provider", "not_confirmed", "pays and decided and not against and sent > 0", "array[sent]"],
  ["provider", "acted", "pays and ok and not decided and acted and sent > 0", "array[sent]"],
  ["provider", "no_answer_kept", "pays and ok and not decided and not acted and sent > 0", "array[sent]"],
  ["provider", "declined", "pays and (refused or no_effect) and not decided and denied and sent > 0"],
  [
    "provider",
    "no_effect",
    "pays and (refused or no_effect) and not decided and not denied and sent > 0",
    "array[sent]",
  ],

  ["gap", "nothing_after_claim", "doubt and sent = 0 and calls = 0"],
  ["gap", "not_sent", "doubt and sent = 0 and calls > 0"],
  ["gap", "not_booked", "doubt and sent > 0 and (acted or denied)"],
  [
    "gap",
    "nothing_after_send",
    "doubt and sent > 0 and not (acted or denied) and looked = 0 and not exists (select 1 from hook)",
  ],
  [
    "gap",
    "no_final_answer",
    "doubt and sent > 0 and not (acted or denied) and (looked > 0 or exists (select 1 from hook))",
  ],

  ["outbox", "dead", "dead_out is not null", "array[dead_out]"],
  ["outbox", "pending", "dead_out is null and exists (select 1 from out where state = 'pending')"],
  ["outbox", "discarded", "outs > 0 and not exists (select 1 from out where state <> 'discarded')"],
  ["outbox", "published", "outs > 0 and not exists (select 1 from out where state <> 'published')"],
  ["inbox", "dead", "exists (select 1 from own where state = 'dead')"],
  [
    "inbox",
    "waits",
    "exists (select 1 from own where state = 'recorded') and not exists (select 1 from own where state = 'dead')",
  ],
  ["inbox", "processed", "exists (select 1 from own) and not exists (select 1 from own where state <> 'processed')"],

  [
    "retries",
    "retries_get_answer",
    "state in ('COMPLETED', 'FAILED_REPLAYABLE') and not over and body_purged_at is null",
    "array[response_status::int]",
  ],
  [
    "retries",
    "retries_get_gone",
    "state in ('COMPLETED', 'FAILED_REPLAYABLE') and not over and body_purged_at is not null",
    "array[410]",
  ],

  ["proof", "happened_once", "ok and not decided"],
  ["proof", "nothing_happened", "(refused or no_effect) and not decided"],
  ["proof", "settled_by_hand", "decided"],
  ["proof", "hand_confirmed", "confirmed"],
  ["proof", "not_settled", "open"],
  ["proof", "may_run_again", "no_effect and not over"],
  ["proof", "contradiction", "not open and ((ok and denied) or ((refused or no_effect) and acted))"],
  [
    "proof",
    "failed",
    "(not open and ((ok and denied) or ((refused or no_effect) and acted))) or objects > 1 or exists (select 1 from out where state = 'discarded')",
  ],
  [
    "proof",
    "requests",
    "true",
    "array[(select count(*)::int from ans) + (select count(*)::int from ev c where c.type = 'claimed' and not exists (select 1 from ans a where a.request_id = c.request_id))]",
  ],
  ["proof", "provider calls", "pays", "array[sent]"],
  ["proof", "events", "true", "array[outs]"],
  ["proof", "executions", "not decided", "array[case when ok then 1 else 0 end]"],
  ["proof", "settlements by hand", "hand is not null", "array[1]"],

  ["first", "first_executed", "ok and not decided"],
  ["first", "first_settled_by_hand", "decided"],
  ["first", "first_refused", "refused and not decided"],
  ["first", "first_without_effect", "no_effect and not decided"],
  ["first", "first_unknown", "state = 'UNKNOWN_REQUIRES_RECOVERY'"],
  ["first", "first_in_progress", "state = 'IN_PROGRESS' and not stale"],
  ["first", "first_stale", "stale"],

  ["known", "unsent", "doubt and sent = 0"],
  ["known", "only_a_person", "doubt and sent > 0 and provider = 'sandbox-neither'"],
  ["known", "not_asked", "doubt and sent > 0 and queryable and looked = 0"],
  ["known", "asked", "doubt and sent > 0 and queryable and looked > 0 and not kept"],
  ["known", "kept_waiting", "doubt and sent > 0 and provider <> 'sandbox-neither' and case when queryable then looked else checks end > 0 and kept"],
  ["known", "no_webhook", "doubt and sent > 0 and newest_hook is null"],
  ["known", "webhook_succeeded", "doubt and sent > 0 and newest_hook = 'succeeded'"],
  ["known", "webhook_failed", "doubt and sent > 0 and newest_hook = 'declined'"],
  ["known", "webhook_processing", "doubt and sent > 0 and newest_hook = 'processing'"],

  ["mini", "done", "pays and ok and sent > 0 and acted"],
  [
    "mini",
    "unconfirmed",
    "pays and sent > 0 and ((ok and not acted) or (refused and (acted or (not denied and (select outcome is distinct from 'no_effect' from last)))))",
  ],
  ["mini", "refused", "pays and sent > 0 and refused and denied and not acted"],
];

const numbersOf = (numbers: string | undefined): string =>
  numbers === undefined ? "null::int[]" : `(${numbers})::int[]`;
const SQL = `${FACTS}
select about, name, numbers from h, lateral (values
${CLAIMS.map(([about, name, holds, numbers]) => `  ('${about}', '${name}', (${holds}), ${numbersOf(numbers)})`).join(",\n")}
) c(about, name, holds, numbers) where holds`;

/** @param at when the page was read, RFC 3339 */
export function claimsByRows(
  env: TestEnvironment,
  tenant: string,
  operationId: string,
  at: string,
): Promise<OracleClaim[]> {
  return env.rows<OracleClaim>(SQL, tenant, operationId, at);
}

/** The names that may be stated somewhere: one that no rows can bear out is a mistake of the oracle. */
export const ORACLE_NAMES: ReadonlySet<string> = new Set(CLAIMS.map(([about, name]) => `${about}: ${name}`));
