import { OPERATION_FACTS_SQL } from "./claim-facts";
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
    | "known"
    | "evidence"
    | "key"
    | "asked"
    | "duplicates"
    | "ledger";
  readonly name: string;
  readonly numbers: readonly number[] | null;
}

type Row = readonly [about: OracleClaim["about"], name: string, holds: string, numbers?: string];

/** claim() lets it run again below the runs of its policy. */
const RETRYABLE = "state = 'FAILED_RETRYABLE' and not over";
const ANSWER_GONE =
  "state in ('COMPLETED', 'FAILED_REPLAYABLE') and not over and (replay = 'none' or (replay = 'stored' and body_purged_at is not null))";

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
  ["verdict", "may_run_again", `${RETRYABLE} and ours and attempts < most`, "'{}'"],
  ["verdict", "runs_used_up", `${RETRYABLE} and ours and attempts >= most`, "'{}'"],
  ["verdict", "service_decides", `${RETRYABLE} and not ours`, "'{}'"],
  ["verdict", "refused_by_provider", "state = 'FAILED_REPLAYABLE' and hand is null and denied", "'{}'"],
  ["verdict", "refused_before_sending", "state = 'FAILED_REPLAYABLE' and hand is null and sent = 0", "'{}'"],
  [
    "verdict",
    "refusal_is_final",
    "state = 'FAILED_REPLAYABLE' and (hand is not null or (sent > 0 and not denied))",
    "'{}'",
  ],
  ["verdict", "key_expired", "not open and over", "'{}'"],
  ["verdict", "key_given_on", "given", "'{}'"],
  ["verdict", "stays_here", "doubt and ours and not pays", "'{}'"],
  ["verdict", "nothing_sent", "doubt and (pays or not ours) and sent = 0", "'{}'"],
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
  ["verdict", "served_different", "served > 1 and bytes > 1 and replay <> 'reference'", "array[served]"],
  ["verdict", "served_by_reference", "served > 1 and bytes > 1 and replay = 'reference'", "array[served]"],
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
    "entries = 0 and ((ours and state = 'UNKNOWN_REQUIRES_RECOVERY') or (owed and (late or dead_out is not null or dead_in is not null)))",
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
  ["operation", "key_free", `hand is null and ${RETRYABLE} and ours and attempts < most`],
  ["operation", "no_effect", `hand is null and no_effect and not (${RETRYABLE} and ours and attempts < most)`],
  ["operation", "one_transaction", "ok and not called and not claimed_before"],
  ["operation", "completed", "hand is null and ok and (called or claimed_before)"],

  ["provider", "nothing_sent", "called and sent = 0 and (not open or calls = 0)", "'{}'"],
  ["provider", "prepared", "called and open and sent = 0 and calls > 0", "'{}'"],
  [
    "provider",
    "waiting",
    "called and state = 'IN_PROGRESS' and not stale and sent > 0 and (select answered_at is null from last)",
    "array[sent]",
  ],
  [
    "provider",
    "answered",
    "called and state = 'IN_PROGRESS' and not stale and sent > 0 and (select answered_at is not null from last)",
  ],
  ["provider", "doubt", "called and doubt and sent > 0"],
  ["provider", "contradicts", "called and against and sent > 0", "array[sent]"],
  ["provider", "not_confirmed", "called and decided and not against and sent > 0", "array[sent]"],
  ["provider", "acted", "called and ok and not decided and acted and sent > 0", "array[sent]"],
  ["provider", "no_answer_kept", "called and ok and not decided and not acted and sent > 0", "array[sent]"],
  ["provider", "declined", "called and (refused or no_effect) and not decided and denied and sent > 0"],
  [
    "provider",
    "no_effect",
    "called and (refused or no_effect) and not decided and not denied and sent > 0",
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
  ["key", "claimed", "true", "array[attempts::int]"],
  ["asked", "asked", "doubt and sent > 0 and looked > 0", "array[looked]"],
  ["duplicates", "duplicates", "exists (select 1 from own) and (select bool_and(duplicates > 0) from own)"],
  ["ledger", "entries", "entries > 0", "array[entries]"],
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
    "state in ('COMPLETED', 'FAILED_REPLAYABLE') and not over and replay = 'stored' and body_purged_at is null",
    "array[response_status::int]",
  ],
  [
    "retries",
    "retries_get_resource",
    "state in ('COMPLETED', 'FAILED_REPLAYABLE') and not over and replay = 'reference'",
    "array[response_status::int]",
  ],
  ["retries", "retries_get_gone", `ours and ${ANSWER_GONE}`, "array[410]"],
  ["retries", "retries_find_no_answer", `not ours and ${ANSWER_GONE}`],

  ["proof", "happened_once", "ok and not decided"],
  ["proof", "nothing_happened", "(refused or no_effect) and not decided"],
  ["proof", "settled_by_hand", "decided"],
  ["proof", "hand_confirmed", "confirmed"],
  ["proof", "not_settled", "open"],
  ["proof", "may_run_again", "no_effect and not over"],
  ["proof", "key_given_on", "given"],
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
  ["proof", "provider calls", "called", "array[sent]"],
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

  ["known", "unsent", "doubt and sent = 0 and (ours or stage = 'RECEIVED')"],
  ["known", "unsent_elsewhere", "doubt and sent = 0 and not ours and stage <> 'RECEIVED'"],
  ["known", "only_a_person", "doubt and sent > 0 and provider = 'sandbox-neither'"],
  ["known", "not_asked", "doubt and sent > 0 and queryable is not false and looked = 0"],
  ["known", "asked", "doubt and sent > 0 and queryable is not false and looked > 0 and not kept"],
  ["known", "not_sent_again", "doubt and sent > 0 and provider = 'sandbox-dedupe-only' and checks = 0"],
  ["known", "sent_again", "doubt and sent > 0 and provider = 'sandbox-dedupe-only' and checks > 0 and not kept"],
  [
    "known",
    "kept_waiting",
    "doubt and sent > 0 and provider <> 'sandbox-neither' and case when queryable is not false then looked else checks end > 0 and kept",
  ],
  ["known", "no_webhook", "doubt and sent > 0 and newest_hook is null"],
  ["known", "webhook_succeeded", "doubt and sent > 0 and newest_hook = 'succeeded'"],
  ["known", "webhook_failed", "doubt and sent > 0 and newest_hook = 'declined'"],
  ["known", "webhook_processing", "doubt and sent > 0 and newest_hook = 'processing'"],

  [
    "evidence",
    "leans_to_succeeded",
    "doubt and pays and yes > 0 and no = 0 and other = 0",
    "array_remove(array[yes, pending], 0)",
  ],
  [
    "evidence",
    "leans_to_failed",
    "doubt and pays and yes = 0 and no > 0 and other = 0",
    "array_remove(array[no, pending], 0)",
  ],
  [
    "evidence",
    "leans_to_nothing",
    "doubt and pays and yes = 0 and no = 0 and other = 0",
    "array_remove(array[pending], 0)",
  ],
  ["evidence", "sources_contradict", "doubt and pays and (other > 0 or (yes > 0 and no > 0))", "'{}'"],

  ["mini", "done", "called and ok and sent > 0 and acted"],
  [
    "mini",
    "unconfirmed",
    "called and sent > 0 and ((ok and not acted) or (refused and (acted or (not denied and (select outcome is distinct from 'no_effect' from last)))))",
  ],
  ["mini", "refused", "called and sent > 0 and refused and denied and not acted"],
];

const numbersOf = (numbers: string | undefined): string =>
  numbers === undefined ? "null::int[]" : `(${numbers})::int[]`;
const SQL = `${OPERATION_FACTS_SQL}
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
