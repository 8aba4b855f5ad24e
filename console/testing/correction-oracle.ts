import type { RowMeaning } from "./meanings";
import { DELETED, HELD } from "./requeue-oracle";

/**
 * What is said of a message that a person may want to correct, in SQL over messages, attempts and deaths; `x` is the row of the message (see
 * oracleQuery), `c` what the sentence captured.
 */
const ATTEMPTS = `(select a.*, a.outcome <> 'lost' and (
    (a.error_code ~ '[.]http_4[0-9][0-9]$' and a.error_code !~ '[.]http_40[89]$') or a.error_code = 'delivery.too_large') as refused,
    a.outcome <> 'lost' and a.error_code = 'webhook.unsafe_destination' as unsent
  from onceboard.message_attempts a where a.tenant_id = $1 and a.side = 'outbox' and a.message_row_id = $2)`;
const attempts = (where: string): string => `(select count(*) from ${ATTEMPTS} a where ${where})`;
/** Everything that was tried, also before a requeue. */
const MADE = `(select coalesce(sum(e.attempts), 0) from onceboard.dead_letters e where e.tenant_id = $1 and e.message_row_id = $2)`;
const OPEN_END = "coalesce(not a.refused and not a.unsent, true)";
const DEAD = "x.state = 'dead'";
const ON_RECORD = `${attempts("true")} = ${MADE} and ${MADE} > 0 and x.began > now() - interval '30 days'`;
const SIZE = `(select octet_length(m.payload::text) from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = $2)`;
const UNKNOWN = `exists (select from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = x.operation_id and r.state = 'UNKNOWN_REQUIRES_RECOVERY')`;
/** Our own inboxes are where it goes. */
const OURS = "$4 <> 'mail' and $4 <> 'elsewhere' and $4 not like 'webhook:%'";
const HELD_HERE = `${OURS} and exists (select from ${HELD} h)`;
const WAITS = `exists (select from onceboard.message_corrections k join onceboard.plans p on p.tenant_id = k.tenant_id and p.id = k.plan_id
  where k.tenant_id = $1 and k.message_id = $2 and p.state = 'awaiting_approval')`;

/** It may be sent as a new message: whoever had it took none of it, and nothing of that is guessed. */
export const MAY_CORRECT = `${DEAD} and $4 <> 'mail' and not ${DELETED} and not ${UNKNOWN} and not (${HELD_HERE}) and ${ON_RECORD}
  and ${attempts(OPEN_END)} = 0 and ${SIZE} <= 131072`;
const NEW_ID = String.raw`The corrected message has a new id: to the receiver it is a new message\.$`;

const allEnded = (at: number): string => `${MAY_CORRECT} and ${MADE} = coalesce(c[${String(at)}]::int, 1)`;
const endedLast = (at: number): string =>
  `(select a.error_code from ${ATTEMPTS} a order by a.ended_at desc limit 1) = c[${String(at)}]`;

export const CORRECTION_ORACLE: readonly RowMeaning[] = [
  [
    `^(?:The only attempt was|All (\\d+) attempts were) refused \\((.+)\\)\\. ${NEW_ID}`,
    `${allEnded(1)} and ${attempts("a.refused")} = ${MADE} and ${endedLast(2)}`,
  ],
  [
    `^All (\\d+) attempts were refused or never left \\((.+)\\)\\. ${NEW_ID}`,
    `${allEnded(1)} and ${attempts("a.refused")} > 0 and ${attempts("a.unsent")} > 0 and ${endedLast(2)}`,
  ],
  [
    `^(?:The only attempt|All (\\d+) attempts) never left \\((.+)\\)\\. ${NEW_ID}`,
    `${allEnded(1)} and ${attempts("a.unsent")} = ${MADE} and ${endedLast(2)}`,
  ],
  [String.raw`^A correction of it waits for approval\.$`, WAITS],
  [
    String.raw`^A mail is written when it is sent; this message only names it\. Correct the account, then requeue\.$`,
    `${DEAD} and $4 = 'mail'`,
  ],
  [
    String.raw`^(\S+) has a message of this id: a new id could take effect a second time\.$`,
    `${DEAD} and ${HELD_HERE} and exists (select from ${HELD} h where h.consumer = c[1])`,
  ],
  [
    String.raw`^The receiver may have acted on it: (\d+) attempts? ended without a clear refusal \((.+)\), and a new id could take effect a second time\.$`,
    `${DEAD} and ${attempts(OPEN_END)} = c[1]::int and exists (select from ${ATTEMPTS} a where ${OPEN_END} and coalesce(a.error_code, 'lost') = c[2])`,
  ],
  [
    String.raw`^The receiver may have acted on it: not all of its attempts are on record any more\.$`,
    `${DEAD} and ${attempts("true")} < ${MADE}`,
  ],
  [
    String.raw`^The receiver may have acted on it: it is so old that attempts may be missing from its record\.$`,
    `${DEAD} and x.began < now() - interval '30 days'`,
  ],
  [String.raw`^Its body is larger than 128 KiB, the most that can be edited here\.$`, `${DEAD} and ${SIZE} > 131072`],
];

/** The same of the message of a plan. */
const OFFERED = [
  ["$4", "f.place"],
  ["$2", "f.message_id"],
  ["x.state", "f.message"],
  ["x.", "f."],
].reduce((sql, [from = "", to = ""]) => sql.replaceAll(from, to), MAY_CORRECT);
/** The plan $2 of the tenant $1 with its dead letter and its message as they are now, and the money of its operation. */
const FACTS = `f as (
  select f.*, coalesce((${OFFERED}), false) as offered from (
    select i.state, i.outcome, p.state as plan_state, p.ended_at, p.ended_by, l.settled_at, l.settled_by, l.settlement, l.corrected_by,
      k.message_id, k.new_message_id, m.topic as place, coalesce(m.state, 'published') as message, m.created_at as began, m.operation_id, r.amount_minor
    from onceboard.plan_items i
    join onceboard.plans p on p.tenant_id = i.tenant_id and p.id = i.plan_id
    join onceboard.message_corrections k on k.tenant_id = i.tenant_id and k.plan_id = i.plan_id
    join onceboard.dead_letters l on l.tenant_id = i.tenant_id and l.id = i.target_id
    left join onceboard.outbox_messages m on m.tenant_id = i.tenant_id and m.id = k.message_id
    left join onceboard.idempotency_requests r on r.tenant_id = i.tenant_id and r.operation_id = (i.label ->> 'operationId')::uuid
    where i.tenant_id = $1 and i.plan_id = $2) f)`;
/** $1 tenant, $2 plan, $3 what the sentence captured. */
export const correctionQuery = (sql: string): string =>
  `with ${FACTS} select coalesce((${sql}), false) as holds from f cross join (select $3::text[] as c) p`;

const BEFORE = "f.plan_state = 'awaiting_approval'";
const EXPIRED = "f.plan_state = 'aborted' and f.ended_by = 'system:expiry'";
const STOPPED = "f.plan_state = 'aborted' and f.ended_by <> 'system:expiry'";
const REJECTED = "f.plan_state = 'rejected'";
const ENDED = "f.ended_at is not null";
const UNDONE = `${ENDED} and f.state <> 'done'`;

/** By name of the claim: its sentence, and when it is said of a correction. One that is not here must not be. */
export const CORRECTION_PLAN: Readonly<Record<string, RowMeaning>> = {
  expired: ["^For 7 days nobody approved or started it: it has expired\\.$", EXPIRED],
  rejected: ["^Rejected\\.$", REJECTED],
  "stopped before it ran": ["^Aborted before it ran\\.$", STOPPED],
  "nothing acted": ["^Nothing acted\\.$", `${EXPIRED} or ${STOPPED} or ${REJECTED}`],
  frozen: ["^1 frozen\\.$", BEFORE],
  "would act": ["^1 would be replaced by a new message with the corrected body\\.$", BEFORE],
  "settled since the dry run": [
    "^1 of them was settled since then by (\\w+), and will be skipped\\.$",
    `${BEFORE} and f.settled_at is not null and coalesce(f.settled_by = c[1], true)`,
  ],
  "concerns money": ["^It concerns €10\\.50\\.$", `${BEFORE} and f.amount_minor = 1050`],
  "waits for approval": ["^A second person must approve\\.$", BEFORE],
  did: [
    "^The row was corrected\\.$",
    "f.plan_state = 'done' and f.settlement = 'corrected' and f.message = 'discarded' and f.new_message_id = f.corrected_by",
  ],
  "every row acted": ["^Every row did what the dry run said\\.$", `${ENDED} and f.state = 'done'`],
  "correct again": [
    "^The message is still dead: correct it again on its own page, or requeue it as it is\\.$",
    `${UNDONE} and f.message = 'dead' and f.offered`,
  ],
  "another step": [
    "^1 row needs something else: 1 decide on its own page\\.$",
    `${UNDONE} and f.settled_at is null and not f.offered`,
  ],
  "nothing left": [
    "^Nothing is left to do: what it did not do is settled\\.$",
    `${UNDONE} and f.settled_at is not null`,
  ],
};

/** The names of all claims that must be said. $1 tenant, $2 plan. */
export const CORRECTION_DUE = `with ${FACTS} select array_remove(array[${Object.entries(CORRECTION_PLAN)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, [, sql]]) => `case when ${sql} then '${name}' end`)
  .join(", ")}], null) as names from f cross join (select array[]::text[] as c) p`;

/** What the dialogs of its steps say, and what its row ended with. */
export const CORRECTION_STEPS: readonly RowMeaning[] = [
  ["^Reject leaves: All 1\\.$", BEFORE],
  ["^No row acts\\. The message stays as it is; its corrected body is deleted\\.$", BEFORE],
  ["^Stop leaves: 1 of 1 stays as it is; correct the message again on its own page\\.$", `${BEFORE} and f.offered`],
  ["^Stop leaves: 1 of 1 stays as it is\\.$", `${BEFORE} and not f.offered`],
  [
    "^Replaced by (\\S+)\\.$",
    `f.new_message_id::text = c[1] and exists (select from (
       select id, headers from onceboard.outbox_messages where tenant_id = $1 union all select id, headers from onceboard.outbox_history where tenant_id = $1) n
       where n.id = f.new_message_id and n.headers ->> 'corrects' = f.message_id::text)`,
  ],
];
