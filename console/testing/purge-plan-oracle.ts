import { SAID_BYTES, isBytes, type RowMeaning } from "./meanings";
import { HOURS_SQL, KEPT_SQL } from "./purge-world";

/** What the sentences of a plan of purges mean, over its rows, what is kept of their operations, the runs of retention and the audit. */

/** Rows of the plan $2 of the tenant $1 as `i`: `acting` by the dry run; `gone`, who purged it and `goes`, as it is now. */
export const PLAN_FACTS = `with ${KEPT_SQL}, f as (
  select i.*, p.state as plan_state, p.started_at, p.ended_at as plan_ended, p.ended_by, r.body_purged_at, k.operation_id is null as gone,
    coalesce(k.goes, false) as goes, coalesce(k.open, false) as open, coalesce(k.again, false) as again, r.created_at as kept, ${HOURS_SQL} as hours,
    i.verdict = 'expired' as acting,
    (select e.actor_name from onceboard.audit_entries e where e.tenant_id = $1 and e.action = 'operations.purge_body'
      and e.subject_id = i.target_id::text and e.evidence ->> 'planId' is null and e.after ->> 'changed' = 'true') as person
  from onceboard.plan_items i
  join onceboard.plans p on p.tenant_id = i.tenant_id and p.id = i.plan_id
  join onceboard.idempotency_requests r on r.tenant_id = i.tenant_id and r.operation_id = i.target_id
  left join k on k.operation_id = i.target_id
  where i.tenant_id = $1 and i.plan_id = $2)`;

const BEFORE = "i.plan_state in ('ready', 'awaiting_approval')";
const EXPIRED = "i.plan_state = 'aborted' and i.started_at is null and i.ended_by = 'system:expiry'";
const STOPPED_BEFORE = "i.plan_state = 'aborted' and i.started_at is null and i.ended_by <> 'system:expiry'";
const STOPPED = "i.plan_state = 'aborted' and i.started_at is not null";
const DONE = "i.plan_state = 'done'";
const RAN = "i.started_at is not null";
const ENDED = "i.plan_ended is not null";
const UNDONE = "i.state <> 'done'";
/** Somebody had purged it when its turn came. */
const SETTLED_BEFORE = "i.acting and i.state = 'skipped' and coalesce(i.body_purged_at <= i.ended_at, false)";
const TO_RUN = "i.state = 'waiting' and not i.gone";
const LEFT = `${UNDONE} and not i.gone and not i.goes`;

type Counted = (where: string) => Promise<number>;
/** Whether a claim must be said, and the figures that it begins with. */
export interface Due {
  readonly said: boolean;
  readonly numbers: readonly number[];
  readonly words?: RegExp;
}
type Check = (counted: Counted) => Promise<Due>;
/** Said where there are such rows, with their number. */
const some =
  (when: string, which: string): Check =>
  async (counted) => {
    const found = await counted(`(${when}) and ${which}`);
    return { said: found > 0, numbers: [found] };
  };
const planIs =
  (state: string, ...numbers: readonly string[]): Check =>
  async (counted) => ({
    said: (await counted(state)) > 0,
    numbers: await Promise.all(numbers.map((where) => counted(where))),
  });
/** Said where the first is so of some rows and the second of none. */
const noneOf =
  (when: string, which: string): Check =>
  async (counted) => ({ said: (await counted(when)) > 0 && (await counted(which)) === 0, numbers: [] });

function didWords(done: number, acting: number): string {
  if (acting === 0) return "No row was to act";
  if (acting === 1) return done === 1 ? "The row was purged" : "The row was not purged";
  if (done === 0) return `None of ${String(acting)} was purged`;
  if (done < acting) return `${String(done)} of ${String(acting)} ${done === 1 ? "was" : "were"} purged`;
  return acting === 2 ? "Both were purged" : `All ${String(acting)} were purged`;
}

/** By name of the claim; one that is not here must not be said of such a plan. */
export const PURGE_PLAN_CLAIMS: Readonly<Record<string, Check>> = {
  expired: async (counted) => ({ said: (await counted(EXPIRED)) > 0, numbers: [7] }),
  rejected: planIs("i.plan_state = 'rejected'"),
  "stopped before it ran": planIs(STOPPED_BEFORE),
  "nothing acted": planIs(`${EXPIRED} or ${STOPPED_BEFORE} or i.plan_state = 'rejected'`),
  frozen: planIs(BEFORE, "true"),
  "none would act": noneOf(BEFORE, "i.acting"),
  "would act": some(BEFORE, "i.acting"),
  "settled since the dry run": some(BEFORE, "i.acting and i.gone"),
  "would be left alone": async (counted) => {
    const left = await counted(`${BEFORE} and not i.acting`);
    return { said: left > 0 && (await counted("i.acting")) > 0, numbers: [left] };
  },
  "not started": planIs("i.plan_state = 'ready' and i.acting"),
  "waits for approval": planIs("i.plan_state = 'awaiting_approval' and i.acting"),
  progress: planIs("i.plan_state = 'running'", "i.acting"),
  "may be stopped": planIs("i.plan_state = 'running'"),
  stopped: planIs(STOPPED, "i.acting and i.state <> 'waiting'", "i.acting"),
  did: async (counted) => {
    const [said, done, acting] = [await counted(DONE), await counted("i.state = 'done'"), await counted("i.acting")];
    return { said: said > 0, numbers: [], words: new RegExp(`^${didWords(done, acting)}(?: by this plan)?\\.$`) };
  },
  "settled by others": some(RAN, SETTLED_BEFORE),
  "changed meanwhile": some(RAN, `i.acting and i.state = 'skipped' and not (${SETTLED_BEFORE})`),
  untouched: some(STOPPED, "i.acting and i.state = 'waiting'"),
  "settled since it ended": some(
    `(${STOPPED}) or ${DONE}`,
    `i.acting and i.state in ('waiting', 'skipped') and i.gone and not (${SETTLED_BEFORE})`,
  ),
  "left alone": some(DONE, "not i.acting"),
  "every row acted": noneOf(ENDED, UNDONE),
  "plan again": some(ENDED, `${UNDONE} and i.goes`),
  "another step": some(ENDED, LEFT),
  "nothing left": noneOf(`${ENDED} and ${UNDONE}`, `${UNDONE} and not i.gone`),
};

const rows = (where: string): string => `(select count(*) from f i where ${where})`;
/** What stands in the dialogs of its steps, and what still needs something else. */
export const PURGE_DIALOGS: readonly RowMeaning[] = [
  [String.raw`^Start: No row would act now\.$`, `${rows(TO_RUN)} = 0`],
  [
    String.raw`^Start: (\d+) rows? (?:is purged of its bodies, its fingerprint|are purged of their bodies, their fingerprints) kept\.$`,
    `${rows(TO_RUN)} = c[1]::int`,
  ],
  [
    String.raw`^Start leaves: (\d+) of (\d+), as the dry run says\.$`,
    `${rows("not i.acting")} = c[1]::int and ${rows("true")} = c[2]::int`,
  ],
  [String.raw`^Start leaves: (\d+) more, settled since\.$`, `${rows("i.acting and i.gone")} = c[1]::int`],
  [String.raw`^Start leaves: None of (\d+)\.$`, `${rows(TO_RUN)} = c[1]::int and ${rows("true")} = c[1]::int`],
  [String.raw`^Reject leaves: All (\d+)\.$`, `${rows("true")} = c[1]::int`],
  [
    String.raw`^Stop leaves: (\d+) of (\d+) (?:stays as it is; it|stay as they are; they) can be planned again\.$`,
    `${rows("i.state = 'waiting'")} = c[1]::int and ${rows("true")} = c[2]::int`,
  ],
  [String.raw`^Again leaves: None\.$`, `${rows(`not (${UNDONE} and i.goes)`)} = 0`],
  [
    String.raw`^Again leaves: (\d+) that (?:is|are) done, settled, or would be left alone\.$`,
    `${rows(`not (${UNDONE} and i.goes)`)} = c[1]::int`,
  ],
  [String.raw`^Needs: (\d+) kept by policy$`, `${rows(`${LEFT} and not i.open and not i.again`)} = c[1]::int`],
  [String.raw`^Needs: (\d+) still needed, wait$`, `${rows(`${LEFT} and (i.open or i.again)`)} = c[1]::int`],
];

/** Why a row was let act or not, of the row $3 when it was frozen. */
const kept = (where: string): string => `exists (select from k where k.operation_id = $3 and ${where})`;
const OLD_ENOUGH = "Older than its policy keeps it";
export const PURGE_VERDICTS: readonly RowMeaning[] = [
  [String.raw`^It is still open: the body is evidence\.$`, kept("k.open")],
  [String.raw`^No body of it is stored any more\.$`, `not ${kept("true")}`],
  [String.raw`^Its failure is not final while its window is open: the body stays\.$`, kept("k.again")],
  [
    String.raw`^Its policy keeps the body for (\d+) h more\.$`,
    kept("not k.old and ceil(k.hours - extract(epoch from now() - k.kept) / 3600) = c[1]::int"),
  ],
  [`^${OLD_ENOUGH}; its key is still live, so a retry gets no stored bytes\\.$`, kept("k.goes and k.live")],
  [`^${OLD_ENOUGH}, and its key has expired\\.$`, kept("k.goes and not k.live")],
];

/** How the row $3 ended: $5 bodies and $6 bytes were there when it was frozen. */
const row = (where: string): string => `exists (select from f i where i.target_id = $3 and ${where})`;
export const PURGE_OUTCOMES: readonly RowMeaning[] = [
  [
    String.raw`^(\d+) bod(?:y|ies) purged, ${SAID_BYTES}\. The fingerprint stays: the purge lets no key run again\.$`,
    `c[1]::int = $5 and ${isBytes("c[2]", "c[3]", "$6")} and ${row("i.gone and i.state = 'done' and i.person is null")}
       and exists (select from onceboard.retention_runs t where t.tenant_id = $1 and t.rows = $5 and t.bytes = $6
         and t.detail ->> 'operationId' = $3::text and t.detail ->> 'planId' = $2::text)`,
  ],
  [
    String.raw`^Settled meanwhile by (\w+): its bodies are purged\.$`,
    row(`${SETTLED_BEFORE} and i.gone and i.person = c[1]`),
  ],
  [
    String.raw`^Settled meanwhile automatically: its bodies are purged\.$`,
    row(`${SETTLED_BEFORE} and i.gone and i.person is null`),
  ],
  [
    String.raw`^Its policy keeps the body for (\d+) h more\.$`,
    row("i.state = 'skipped' and ceil(i.hours - extract(epoch from now() - i.kept) / 3600) = c[1]::int"),
  ],
];

/** $1 tenant, $2 plan, $3 row or null, $4 what the sentence captured, $5 and $6 what was kept of the row. */
export const purgePlanQuery = (sql: string): string =>
  `${PLAN_FACTS} select coalesce((${sql}), false) as holds from (select $4::text[] as c, $2::uuid, $3::uuid, $5::int, $6::int) p (c)`.replaceAll(
    /\$([23])(?!:)/g,
    "$$$1::uuid",
  );
