import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChecklistFacts, PolicyFact } from "@/domain/checks/checklist-facts";
import type { CheckVerdict, ChecklistRow } from "../views/checklist";
import { checklistVerdict, judgeChecklist } from "./checklist";
import { CHECKLIST_FACTS, CHECKED_NAMES } from "./testing/checklist-facts";

/** Enough for every sentence to be said. */
const RUNS = 800;

type Read = (facts: ChecklistFacts, words: readonly string[]) => boolean;
/** What a sentence decides, its form, and whether it is true of the facts, read from its words. */
type Sentence = readonly [verdict: CheckVerdict, form: RegExp, isTrue: Read];

const number = (text: string | undefined): number => Number((text ?? "").replaceAll(",", ""));
const listed = (text = ""): readonly string[] => (text === "" ? [] : text.split(", "));
const same = (a: readonly string[], b: readonly string[]): boolean => a.join("|") === b.join("|");
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const short = (path: string): string => path.replace("/api/v1", "");
const keyedNames = ({ deployment: { routes } }: ChecklistFacts): readonly string[] =>
  routes.filter((one) => one.keyed).map((one) => `${one.method} ${short(one.path)}`);
/** By its own declaration, or by the policy of its operation. */
const withoutKey = ({ deployment: { routes }, policies }: ChecklistFacts) =>
  routes.filter((one) =>
    one.keyed
      ? policies.some(({ policy, route }) => policy.key === "optional" && route === `${one.method} ${short(one.path)}`)
      : one.otherwise === undefined,
  );
const [PAY, ...GIVE_BACK] = ["payments.create", "refunds.create", "payments.void"] as const;
const pairOf = ({ policies }: ChecklistFacts): readonly PolicyFact[] =>
  [PAY, ...GIVE_BACK].flatMap((name) => policies.find(({ operation }) => operation === name) ?? []);
const hasPolicy = ({ policies }: ChecklistFacts, ...names: readonly string[]): boolean =>
  policies.some(({ operation }) => names.includes(operation));
const publicKeyed = ({ deployment: { routes } }: ChecklistFacts): readonly string[] =>
  routes.filter((one) => one.keyed && !one.path.includes("/admin/")).map((one) => one.path);
const lacksRefusal = (statuses: readonly string[]): boolean =>
  ["400", "409", "410"].some((status) => !statuses.includes(status));
/** "all 3 answers of the last 24 h" or "the newest 5 answers, given since …" */
const AMONG = "(all|the newest) ([\\d,]+) answers?( of the last 24 h|, given since [^;.]+UTC)?";
const isAmong = ({ answers, limit }: ChecklistFacts, [all, count, since]: readonly (string | undefined)[]): boolean =>
  answers?.looked === number(count) &&
  (all === "all") === answers.looked < limit &&
  (all === "all" ? since === " of the last 24 h" : (since !== undefined) === (answers.since !== undefined));
/** "the newest" exactly where there may be more. */
const isNewest = ({ limit }: ChecklistFacts, word: string | undefined, count: number): boolean =>
  (word !== undefined) === count >= limit;
const runOf = ({ invariants }: ChecklistFacts, label?: string) =>
  invariants.find((run) => (CHECKED_NAMES.includes(label ?? "") ? run.name : run.label) === label);
const MINUTES_5 = 300_000;

const SENTENCES: readonly Sentence[] = [
  ["cannot_tell", /^Effects without a key: not read, /, ({ keys }) => keys === undefined],
  ["cannot_tell", /^Hashes of commands: not read, /, ({ keys }) => keys === undefined],
  ["cannot_tell", /^(Conflicts|Replays|Events of answers): not read, /, ({ answers }) => answers === undefined],
  ["cannot_tell", /^Retries of clients: not read, /, ({ retries }) => retries === undefined],
  ["cannot_tell", /^Unique constraints: not read, /, ({ constraints }) => constraints === undefined],
  ["cannot_tell", /^What has expired: not read, /, ({ cleanup }) => cleanup === undefined],
  ["cannot_tell", /^Open operations: not read, /, ({ open }) => open === undefined],
  ["cannot_tell", /^The worker's [\w -]+: not read, /, ({ loops }) => loops === undefined],
  [
    "holds",
    /^(\d+) of (\d+) routes that need a key refuse a request without one\.$/,
    (facts, [some, all]) => some === all && number(all) === keyedNames(facts).length && withoutKey(facts).length === 0,
  ],
  ["cannot_tell", /^No route that changes something is served\.$/, ({ deployment }) => deployment.routes.length === 0],
  [
    "fails",
    /^No key is needed by (POST \/api\/v1\/.*?)(?: and (\d+) more)?\.$/,
    (facts, [names, more = "0"]) => {
      const open = withoutKey(facts);
      const said = listed(names);
      return (
        said.length + number(more) === open.length &&
        said.every((name) => open.some((one) => name === `${one.method} ${one.path}`))
      );
    },
  ],
  [
    "holds",
    /^Among them (POST .*)\.$/,
    (facts, [names]) =>
      listed(names).length === facts.policies.length && listed(names).every((name) => keyedNames(facts).includes(name)),
  ],
  [
    "fails",
    /^No route with a key for (POST .*)\.$/,
    (facts, [names]) =>
      same(
        listed(names),
        facts.policies.map(({ route }) => route).filter((route) => !keyedNames(facts).includes(route)),
      ),
  ],
  [
    "note",
    /^(POST \/api\/v1\/\S+): (by its state)\.$/,
    ({ deployment }, [name, why]) =>
      deployment.routes.some((one) => !one.keyed && `POST ${one.path}` === name && one.otherwise === why),
  ],
  [
    "fails",
    /^((?:\d+ (?:payment|refund|void)s?(?:, )?)+) without a key\.$/,
    ({ keys }, [text]) => {
      const effects = (keys?.effects ?? []).filter(({ unkeyed }) => unkeyed.count > 0);
      return same(
        listed(text).map((one) => one.replace(/s$/, "")),
        effects.map(({ kind, unkeyed }) => `${String(unkeyed.count)} ${kind}`),
      );
    },
  ],
  [
    "cannot_tell",
    /^No payment, refund or void in the last 24 h to look at\.$/,
    ({ keys }) => sum((keys?.effects ?? []).map((one) => one.looked + one.unkeyed.count)) === 0,
  ],
  [
    "holds",
    /^((?:(?:[Tt]he newest )?\d+ (?:payment|refund|void)s?(?:, )?)+) in the last 24 h: each belongs to a key\.$/,
    ({ keys, limit }, [text]) =>
      sum((keys?.effects ?? []).map(({ unkeyed }) => unkeyed.count)) === 0 &&
      same(
        listed(text).map((one) => one.replace(/s$/, "").toLowerCase()),
        (keys?.effects ?? [])
          .filter((one) => one.looked > 0)
          .map((one) => `${one.looked < limit ? "" : "the newest "}${String(one.looked)} ${one.kind}`),
      ),
  ],
  [
    "fails",
    /^(\d+) keys? without a hash of the command\.$/,
    ({ keys }, [count]) => number(count) > 0 && keys?.unhashed.count === number(count),
  ],
  ["cannot_tell", /^No key in the last 24 h to look at\.$/, ({ keys }) => keys?.keys === 0],
  [
    "holds",
    /^(The newest )?(\d+) keys? in the last 24 h, each with the hash of its command\.$/,
    (facts, [newest, count]) =>
      number(count) > 0 &&
      facts.keys?.keys === number(count) &&
      facts.keys.unhashed.count === 0 &&
      isNewest(facts, newest, number(count)),
  ],
  [
    "fails",
    /^(\d+) conflicts? answered with another status than 409 or 422\.$/,
    ({ answers }, [count]) => number(count) > 0 && answers?.accepted.count === number(count),
  ],
  [
    "note",
    new RegExp(`^No conflict among ${AMONG}(?:; one would get (.*))?\\.$`),
    (facts, [all, count, since, statuses]) =>
      facts.answers?.conflicts === 0 &&
      isAmong(facts, [all, count, since]) &&
      (statuses === undefined) === (facts.policies.length === 0) &&
      (statuses ?? "").split(" or ").every((status, _, { length }) => {
        const with_it = facts.policies.filter(({ policy }) => String(policy.mismatchStatus) === status);
        return status === "" || (length === 1 ? with_it.length === facts.policies.length : with_it.length > 0);
      }),
  ],
  [
    "holds",
    new RegExp(`^(\\d+) conflicts? among ${AMONG}, each refused with 409 or 422\\.$`),
    (facts, [conflicts, ...among]) =>
      number(conflicts) > 0 &&
      facts.answers?.conflicts === number(conflicts) &&
      facts.answers.accepted.count === 0 &&
      isAmong(facts, among),
  ],
  [
    "note",
    /^(\d+) (conflict|replay)s? in the last 24 h in all\.$/,
    ({ answers, counted, limit }, [count, what]) =>
      (what === "replay" ? counted?.replays : counted?.conflicts) === number(count) && (answers?.looked ?? 0) >= limit,
  ],
  [
    "fails",
    /^(\d+) operations? replayed with another status or other bytes\.$/,
    ({ answers }, [count]) => number(count) > 0 && answers?.differing.count === number(count),
  ],
  [
    "cannot_tell",
    /^No replay in the last 24 h to compare\.$/,
    ({ answers, limit }) => answers?.replays === 0 && answers.looked < limit,
  ],
  [
    "cannot_tell",
    new RegExp(`^No replay among ${AMONG} to compare\\.$`),
    (facts, among) => facts.answers?.replays === 0 && facts.answers.looked >= facts.limit && isAmong(facts, among),
  ],
  [
    "holds",
    new RegExp(`^(\\d+) replays? among ${AMONG}, each with the status and the bytes of the first answer\\.$`),
    (facts, [replays, ...among]) =>
      number(replays) > 0 &&
      facts.answers?.replays === number(replays) &&
      facts.answers.differing.count === 0 &&
      isAmong(facts, among),
  ],
  [
    "fails",
    /^(\w+): a replay shows the resource as it is now, as its policy says\.$/,
    ({ policies }, [kind]) => policies.some((one) => one.kind === kind && one.policy.replay === "reference"),
  ],
  [
    "holds",
    /^A replay says Idempotency-Status: replayed in (?:all (\d+) wire profiles|the one wire profile)\.$/,
    ({ deployment: { profiles } }, [count = "1"]) =>
      profiles.length === number(count) && profiles.every(({ mark }) => mark === "replayed"),
  ],
  [
    "fails",
    /^A replay is not marked in the profile (?!of any caller)(.*)\.$/,
    ({ deployment: { profiles } }, [names]) =>
      listed(names).length > 0 &&
      same(
        listed(names),
        profiles.flatMap(({ name, mark }) => (mark === "replayed" ? [] : [name])),
      ),
  ],
  [
    "fails",
    /^A replay is not marked in the profile of any caller\.$/,
    ({ deployment }) => deployment.profiles.length === 0,
  ],
  [
    "cannot_tell",
    /^No client retried in the last 24 h\.$/,
    ({ answers, retries, limit }) => retries?.length === 0 && answers !== undefined && answers.looked < limit,
  ],
  [
    "cannot_tell",
    new RegExp(`^No client retried among (?:the answers looked at|${AMONG})\\.$`),
    (facts, [all, ...rest]) =>
      facts.retries?.length === 0 &&
      (all === undefined ? facts.answers === undefined : all !== "all" && isAmong(facts, [all, ...rest])),
  ],
  [
    "note",
    new RegExp(`^Looked at ${AMONG}\\.$`),
    (facts, [all, ...rest]) => (facts.retries ?? []).length > 0 && all !== "all" && isAmong(facts, [all, ...rest]),
  ],
  ...(["holds", "fails"] as const).map((verdict): Sentence => [
    verdict,
    /^(till|kiosk): (\d+) (?:retry|retries), (none|\d+) before Retry-After, (none|\d+) after a refusal that no retry heals\.$/,
    ({ retries }, [client, count, soon, vain]) => {
      const one = retries?.find((each) => each.client === client);
      const is = (text: string | undefined, value: number) => text === (value === 0 ? "none" : String(value));
      if (one === undefined || !is(soon, one.tooSoon) || !is(vain, one.hopeless)) return false;
      const bad = one.tooSoon + one.hopeless;
      return one.retries === number(count) && (bad > 3 && bad * 20 > one.retries) === (verdict === "fails");
    },
  ]),
  [
    "holds",
    /^(\d+) of (\d+) are there and valid\.$/,
    ({ constraints }, [some, all]) =>
      some === all && constraints?.all === number(all) && constraints.missing.length === 0,
  ],
  [
    "fails",
    /^The database does not enforce (.+)\.$/,
    ({ constraints }, [name = ""]) => constraints?.missing.includes(name) === true,
  ],
  [
    "holds",
    /^The database enforces (.+)\.$/,
    ({ constraints }, [name = ""]) => constraints?.missing.includes(name) === false,
  ],
  [
    "fails",
    /^(\d+) answers? without the attempt or the request it belongs to\.$/,
    ({ answers }, [count]) => number(count) > 0 && answers?.untraceable.count === number(count),
  ],
  ["cannot_tell", /^Nobody was answered in the last 24 h\.$/, ({ answers }) => answers?.looked === 0],
  [
    "holds",
    /^(The newest )?(\d+) answers? in the last 24 h, each with its operation, request and attempt\.$/,
    (facts, [newest, count]) =>
      number(count) > 0 &&
      facts.answers?.looked === number(count) &&
      facts.answers.untraceable.count === 0 &&
      isNewest(facts, newest, number(count)),
  ],
  ["fails", /^The metrics are not served\.$/, ({ deployment }) => deployment.metrics === undefined],
  [
    "fails",
    /^Not among the metrics: (.*)\.$/,
    ({ deployment: { metrics } }, [names]) =>
      listed(names).length > 0 && listed(names).every((name) => metrics?.includes(name) === false),
  ],
  [
    "holds",
    /^(\d+) metrics? served, with outcomes per operation and the delay of retries\.$/,
    ({ deployment: { metrics = [] } }, [count]) =>
      metrics.length === number(count) &&
      metrics.includes("idempotency_requests_total") &&
      metrics.includes("idempotency_retry_delay_seconds"),
  ],
  ["note", /^Spans are exported\.$/, ({ deployment }) => deployment.traces],
  ["note", /^Spans are not exported: no collector is configured\.$/, ({ deployment }) => !deployment.traces],
  [
    "holds",
    /^Every policy is free of contradictions: (.*)\.$/,
    ({ policies }, [windows]) =>
      policies.length > 0 &&
      sum(policies.map((one) => one.findings.length)) === 0 &&
      windows === policies.map((one) => `${one.kind} ${String(one.policy.ttlHours)} h`).join("; "),
  ],
  [
    "fails",
    /^A policy contradicts itself: (.*)\.$/,
    ({ policies }, [names]) =>
      listed(names).length > 0 &&
      same(
        listed(names),
        policies.flatMap((one) => (one.findings.length === 0 ? [] : [one.operation])),
      ),
  ],
  ...(
    [
      ["expired bodies", (cleanup) => cleanup.overdueBodies],
      ["expired records", (cleanup) => cleanup.overdueRecords],
      ["ended windows that are not closed", (cleanup) => cleanup.overdueWindows],
    ] as const satisfies readonly (readonly [string, (cleanup: NonNullable<ChecklistFacts["cleanup"]>) => number])[]
  ).flatMap(([what, of]): Sentence[] => [
    ["holds", new RegExp(`^No ${what}\\.$`), ({ cleanup }) => cleanup !== undefined && of(cleanup) === 0],
    [
      "fails",
      new RegExp(`^(\\d+) or more ${what}\\.$`),
      ({ cleanup }, [count]) => cleanup !== undefined && number(count) > 0 && of(cleanup) === number(count),
    ],
  ]),
  [
    "holds",
    /^Tables by day have partitions for the next (\d+) days?\.$/,
    ({ cleanup }, [days]) => number(days) >= 2 && cleanup?.daysAhead === number(days) + 1,
  ],
  [
    "fails",
    /^Tables by day have partitions for (\d) days? only, today included\.$/,
    ({ cleanup }, [days]) => ["1", "2"].includes(days ?? "") && cleanup?.daysAhead === number(days),
  ],
  ["fails", /^A table by day has no partition for today\.$/, ({ cleanup }) => cleanup?.daysAhead === 0],
  [
    "note",
    /^Nothing had to be removed so far\.$/,
    ({ cleanup }) => cleanup !== undefined && cleanup.lastRunAt === undefined,
  ],
  [
    "note",
    /^Something was removed last on 20 Nov 2026, 10:15 UTC\.$/,
    ({ cleanup }) => cleanup?.lastRunAt?.startsWith("2026-11-20T10:15") === true,
  ],
  ["note", /^No operation with a policy here takes money\.$/, (facts) => !hasPolicy(facts, PAY)],
  ["note", /^No operation with a policy here gives money back\.$/, (facts) => !hasPolicy(facts, ...GIVE_BACK)],
  [
    "holds",
    /^(\w+(?:, \w+)+) need a key alike\.$/,
    (facts, [kinds]) =>
      same(
        [...listed(kinds)].sort(),
        pairOf(facts)
          .map(({ kind }) => kind)
          .sort(),
      ) && pairOf(facts).every(({ route }) => keyedNames(facts).includes(route)),
  ],
  [
    "fails",
    /^No key is needed by (POST \/(?!api).*)\.$/,
    (facts, [names]) =>
      listed(names).length === pairOf(facts).filter(({ route }) => !keyedNames(facts).includes(route)).length &&
      listed(names).every((name) => !keyedNames(facts).includes(name)),
  ],
  [
    "holds",
    /^After the window all of them (are refused|run again)\.$/,
    (facts, [what]) =>
      pairOf(facts).every(({ policy }) => policy.expired === (what === "run again" ? "execute" : "reject")),
  ],
  [
    "fails",
    /^After the window (\w+)(?: and (\w+))? (is|are) treated otherwise than (\w+)\.$/,
    (facts, [one, other, verb, create]) => {
      const [first, ...rest] = pairOf(facts);
      const kinds = rest.filter(({ policy }) => policy.expired !== first?.policy.expired).map(({ kind }) => kind);
      return (
        create === first?.kind &&
        (verb === "is") === (kinds.length === 1) &&
        same([...kinds].sort(), [one, other].filter((kind) => kind !== undefined).sort())
      );
    },
  ],
  [
    "note",
    /^All of them stand for (\d+) h\.$/,
    (facts, [hours]) => pairOf(facts).every(({ policy }) => policy.ttlHours === number(hours)),
  ],
  [
    "note",
    /^Their windows differ: (\w+ \d+ h(?:; \w+ \d+ h)+)\.$/,
    (facts, [text = ""]) =>
      new Set(text.match(/\d+/g)).size > 1 &&
      pairOf(facts).every(({ kind, policy }) => text.includes(`${kind} ${String(policy.ttlHours)} h`)),
  ],
  [
    "fails",
    /^(\d+) stale leases?, the oldest for (.*)\.$/,
    ({ open }, [count, age]) =>
      open?.stale === number(count) && age === "6 min" && open.oldestStaleMs === 360_000 && number(count) > 0,
  ],
  [
    "holds",
    /^No lease is stale for longer than 5 minutes\.$/,
    ({ open }) => open !== undefined && (open.stale === 0 || (open.oldestStaleMs ?? 0) <= MINUTES_5),
  ],
  [
    "note",
    /^(\d+) outcomes? unknown(?:, the oldest for (.*))?\.$/,
    ({ open }, [count, age]) =>
      number(count) > 0 &&
      open?.unknown === number(count) &&
      (age === undefined ? open.oldestUnknownMs === undefined : age === "1 h" && open.oldestUnknownMs === 3_600_000),
  ],
  ["fails", /^The API document is not served\.$/, ({ deployment }) => deployment.document === undefined],
  [
    "holds",
    /^(\d+) of (\d+) routes with a key are declared so\.$/,
    (facts, [some, all]) =>
      some === all &&
      publicKeyed(facts).length === number(all) &&
      publicKeyed(facts).every((path) => facts.deployment.document?.some((one) => one.path === short(path)) === true),
  ],
  [
    "fails",
    /^The header is not declared for (POST .*)\.$/,
    (facts, [names]) =>
      listed(names).length > 0 &&
      same(
        listed(names),
        publicKeyed(facts)
          .filter((path) => facts.deployment.document?.some((one) => one.path === short(path)) !== true)
          .map((path) => `POST ${path}`),
      ),
  ],
  [
    "holds",
    /^Each says how long a key stands\.$/,
    ({ deployment: { document = [] } }) => document.length > 0 && document.every((one) => one.window !== undefined),
  ],
  [
    "fails",
    /^No window is declared for (\/.*)\.$/,
    ({ deployment: { document = [] } }, [names]) =>
      same(
        listed(names),
        document.flatMap((one) => (one.window === undefined ? [one.path] : [])),
      ),
  ],
  [
    "holds",
    /^Each says that 400, 409, 410 may come\.$/,
    ({ deployment: { document = [] } }) =>
      document.length > 0 && !document.some(({ statuses }) => lacksRefusal(statuses)),
  ],
  [
    "fails",
    /^Refusals are missing from (\/.*)\.$/,
    ({ deployment: { document = [] } }, [names]) =>
      same(
        listed(names),
        document.flatMap((one) => (lacksRefusal(one.statuses) ? [one.path] : [])),
      ),
  ],
  [
    "cannot_tell",
    /^(.*): the last check did not end, or there was none yet\.$/,
    (facts, [label]) => runOf(facts, label)?.checked !== true,
  ],
  [
    "holds",
    /^(.*): no violation in the last 24 h\.$/,
    (facts, [label]) => {
      const run = runOf(facts, label);
      return run?.checked === true && run.violations === 0 && (run.ageMs ?? 0) <= MINUTES_5;
    },
  ],
  [
    "cannot_tell",
    /^(.*): no violation when it was last checked, 2 d ago\.$/,
    (facts, [label]) => {
      const run = runOf(facts, label);
      return run?.checked === true && run.violations === 0 && run.ageMs === 172_800_000;
    },
  ],
  ...(["in the last 24 h", "when it was last checked, 2 d ago"] as const).map((when): Sentence => [
    "fails",
    new RegExp(`^(.*): (more than )?(\\d+) violations? ${when}\\.$`),
    (facts, [label, more, count]) => {
      const run = runOf(facts, label);
      return (
        run?.checked === true &&
        number(count) > 0 &&
        run.violations === number(count) &&
        (more !== undefined) === (run.capped === true) &&
        (run.ageMs === 172_800_000) === when.startsWith("when")
      );
    },
  ]),
  [
    "holds",
    /^The worker's ([\w -]+) beats?\.$/,
    ({ loops = [] }, [names = ""]) =>
      names.split(" and ").every((name) => {
        const row = loops.find(({ loop }) => loop.replaceAll("_", "-") === name);
        return row !== undefined && row.state !== "stopped" && row.error === undefined;
      }),
  ],
  [
    "fails",
    /^The worker: (.*)\.$/,
    ({ loops = [] }, [text]) =>
      listed(text).every((one) => {
        const [, name, what] = /^([\w-]+) (has not beaten for a day|stopped|fails: denied)$/.exec(one) ?? [];
        const row = loops.find(({ loop }) => loop.replaceAll("_", "-") === name);
        if (what === "has not beaten for a day") return row === undefined;
        return what === "stopped" ? row?.state === "stopped" : row?.error === "denied" && row.state !== "stopped";
      }),
  ],
];

const loopsFail = ({ loops }: ChecklistFacts, ...names: readonly string[]): boolean =>
  loops !== undefined &&
  names.some((name) => {
    const row = loops.find(({ loop }) => loop === name);
    return row?.state === "stopped" || row?.error !== undefined || row === undefined;
  });
const violated = ({ invariants }: ChecklistFacts, ...names: readonly string[]): boolean =>
  invariants.some((run) => names.includes(run.name) && run.violations > 0);

/** Whether something in the facts is not as a line demands. */
const FLAWED: Readonly<Record<string, (facts: ChecklistFacts) => boolean>> = {
  "key-required": (facts) =>
    withoutKey(facts).length > 0 ||
    facts.policies.some(({ route }) => !keyedNames(facts).includes(route)) ||
    (facts.keys?.effects ?? []).some(({ unkeyed }) => unkeyed.count > 0),
  "payload-hash": ({ keys, answers }) => (keys?.unhashed.count ?? 0) + (answers?.accepted.count ?? 0) > 0,
  "same-answer": ({ answers, policies, deployment: { profiles } }) =>
    (answers?.differing.count ?? 0) > 0 ||
    policies.some(({ policy }) => policy.replay === "reference") ||
    profiles.length === 0 ||
    profiles.some(({ mark }) => mark !== "replayed"),
  retries: ({ retries = [] }) =>
    retries.some((one) => one.tooSoon + one.hopeless > 3 && (one.tooSoon + one.hopeless) * 20 > one.retries),
  "outbox-inbox": (facts) =>
    violated(facts, "success_has_message", "no_payload_swap", "dead_but_processed") ||
    (facts.constraints?.missing ?? []).some((name) => name.startsWith("one inbox row")) ||
    loopsFail(facts, "relay", "consume", "consume_alone"),
  observability: (facts) =>
    (facts.answers?.untraceable.count ?? 0) > 0 ||
    (facts.deployment.metrics?.filter((name) => name.startsWith("idempotency_")).length ?? 0) < 2 ||
    loopsFail(facts, "roll_up"),
  cleanup: (facts) =>
    facts.policies.some((one) => one.findings.length > 0) ||
    loopsFail(facts, "retain") ||
    (facts.cleanup !== undefined &&
      (facts.cleanup.daysAhead < 3 ||
        facts.cleanup.overdueBodies + facts.cleanup.overdueRecords + facts.cleanup.overdueWindows > 0)),
  symmetry: (facts) =>
    violated(facts, "refunds_within_payment") ||
    (hasPolicy(facts, PAY) &&
      hasPolicy(facts, ...GIVE_BACK) &&
      (pairOf(facts).some(({ route }) => !keyedNames(facts).includes(route)) ||
        new Set(pairOf(facts).map(({ policy }) => policy.expired)).size > 1)),
  "unique-keys": ({ constraints }) => (constraints?.missing.length ?? 0) > 0,
  "one-effect": (facts) => violated(facts, "one_execution_per_key", "one_ledger_entry"),
  unknown: (facts) =>
    violated(facts, "open_rows_match") || (facts.open?.oldestStaleMs ?? 0) > MINUTES_5 || loopsFail(facts, "recover"),
  document: (facts) => {
    const { document } = facts.deployment;
    if (document === undefined) return true;
    return (
      document.some((one) => one.window === undefined || lacksRefusal(one.statuses)) ||
      publicKeyed(facts).some((path) => !document.some((one) => one.path === short(path)))
    );
  },
};

/** What a verdict counts must be the lines. */
function expectVerdict(rows: readonly ChecklistRow[]): void {
  const text = checklistVerdict(rows)
    .map((clause) => clause.text)
    .join(" ");
  const of = (verdict: ChecklistRow["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const [, pass, fail = "0", open = "0"] =
    /^(All 12|\d+ of 12) checks pass\.(?: (\d+) fails?\.)?(?: (\d+) (?:is|are) not known yet\.)?$/.exec(text) ?? [];
  expect([pass, fail, open], text).toEqual([
    of("holds") === 12 ? "All 12" : `${String(of("holds"))} of 12`,
    String(of("fails")),
    String(of("cannot_tell")),
  ]);
}

const known = new Map<string, readonly Sentence[]>();
/** Most texts come again and again. */
function formsOf(verdict: CheckVerdict, text: string): readonly Sentence[] {
  const all = known.get(`${verdict} ${text}`) ?? SENTENCES.filter((one) => one[0] === verdict && one[1].test(text));
  known.set(`${verdict} ${text}`, all);
  return all;
}

describe("TRUTH-1, CHECKLIST-1 the checklist over generated facts", () => {
  it(
    "says only what is true of them, by the words of each sentence, and says each sentence somewhere",
    { timeout: 60_000 },
    () => {
      const said = new Set<Sentence>();
      const property = fc.property(CHECKLIST_FACTS, (facts) => {
        const rows = judgeChecklist(facts);
        const untrue = rows
          .flatMap(({ checks }) => checks)
          .filter(({ verdict, text }) => {
            const [form, more] = formsOf(verdict, text);
            if (form === undefined || more !== undefined) return true;
            said.add(form);
            return !form[2](facts, form[1].exec(text)?.slice(1) ?? []);
          });
        expect(untrue).toEqual([]);
        expect(rows.filter((row) => (row.verdict === "fails") !== FLAWED[row.id]?.(facts))).toEqual([]);
        expectVerdict(rows);
      });
      fc.assert(property, { numRuns: RUNS });
      expect(SENTENCES.filter((one) => !said.has(one)).map(([, form]) => form)).toEqual([]);
    },
  );

  it("a line that nothing decides cannot be told", () => {
    const facts = fc.sample(CHECKLIST_FACTS, 1)[0];
    if (facts === undefined) throw new Error("no facts");
    const rows = judgeChecklist({ ...facts, invariants: [] });
    expect(rows.find(({ id }) => id === "one-effect")?.verdict).toBe("cannot_tell");
  });
});
