import fc from "fast-check";
import type { ChecklistFacts, WrongRows } from "@/domain/checks/checklist-facts";
import { DEFAULT_POLICY } from "@/domain/idempotency/policy";
import { CHECKLIST, CHECKS } from "../../checks/catalogue";

/** Invariants that a line of the checklist is judged by. */
export const CHECKED_NAMES: readonly string[] = CHECKLIST.flatMap(({ checks }) => checks).filter(
  (id) => !("service" in CHECKS[id]),
);
const PATHS = ["/payments", "/refunds", "/payments/{id}/void", "/accounts", "/a", "/b", "/c", "/admin/plans"];
const OPERATIONS = [
  ["payments.create", "Payment", "/payments", "takes"],
  ["refunds.create", "Refund", "/refunds", "returns"],
  ["payments.void", "Void", "/payments/{id}/void", "returns"],
  ["accounts.create", "Account", "/accounts", undefined],
] as const;
const LOOPS = ["relay", "consume", "consume_alone", "recover", "roll_up", "retain"];
const CONSTRAINTS = ["one inbox row per consumer, source and event id", "one payment per operation"];

/** Mostly the first: one flaw among many things hides no other. */
const mostly = <Value>(often: Value, ...seldom: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(often) }, ...seldom.map((value) => fc.constant(value)));
const seldomUnread = <Value>(read: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 9, arbitrary: read }, fc.constant(undefined));
const wrong: fc.Arbitrary<WrongRows> = mostly(0, 1, 3).map((count) => ({
  count,
  ids: Array.from({ length: count }, (_, index) => `id-${String(index)}`),
}));
const few = fc.integer({ min: 0, max: 7 });

const routes = fc
  .tuple(...PATHS.map((path) => mostly([path, "keyed"], [path, "open"], [path, "otherwise"], [path, "gone"])))
  .map((all) =>
    all.flatMap(([path = "", how]) =>
      how === "gone"
        ? []
        : [
            {
              method: "POST",
              path: `/api/v1${path}`,
              keyed: how === "keyed",
              otherwise: how === "otherwise" ? "by its state" : undefined,
            },
          ],
    ),
  );
const openRoutes = (count: number) =>
  PATHS.slice(0, count).map((path) => ({ method: "POST", path: `/api/v1${path}`, keyed: false }));
const documented = fc
  .tuple(
    ...PATHS.slice(0, 7).map((path) =>
      fc.record({
        path: fc.constant(path),
        gone: mostly(false, true),
        window: mostly<string | undefined>("PT24H", undefined),
        statuses: mostly(["201", "400", "409", "410"], ["201", "400"]),
      }),
    ),
  )
  .map((all) => all.filter(({ gone }) => !gone).map(({ gone: _, ...call }) => call));
const policies = fc
  .tuple(
    ...OPERATIONS.map(([operation, kind, path, money]) =>
      fc.record({
        operation: fc.constant(operation),
        kind: fc.constant(kind),
        route: fc.constant(`POST ${path}`),
        money: fc.constant(money),
        gone: mostly(false, false, true),
        policy: fc.record({
          ...Object.fromEntries(Object.entries(DEFAULT_POLICY).map(([name, value]) => [name, fc.constant(value)])),
          ttlHours: mostly(24, 48),
          mismatchStatus: fc.constantFrom(409, 422),
          replay: mostly("stored", "reference"),
          expired: mostly("reject", "execute"),
          key: fc.oneof({ weight: 20, arbitrary: fc.constant("required") }, fc.constant("optional")),
        }),
        findings: mostly<readonly { path: string; message: string }[]>([], [{ path: "", message: "no" }]),
      }),
    ),
  )
  .map((all) =>
    all.filter(({ gone }) => !gone).map(({ gone: _, ...one }) => one as ChecklistFacts["policies"][number]),
  );

const run = (name: string) =>
  fc.record({
    name: fc.constant(name),
    label: fc.constant(`Label of ${name}`),
    checked: mostly(true, false),
    violations: mostly(0, 1, 3),
    capped: mostly(false, true),
    ageMs: mostly(20_000, 172_800_000),
    samples: fc.constant([]),
  });

/** All that the checklist judges by, with flaws here and there. Of answers, keys and effects at most 5 are looked at. */
export const CHECKLIST_FACTS: fc.Arbitrary<ChecklistFacts> = fc.record({
  hours: fc.constant(24),
  limit: fc.constant(5),
  deployment: fc.record({
    routes: fc.oneof({ weight: 9, arbitrary: routes }, fc.constantFrom([], openRoutes(6), openRoutes(7))),
    profiles: fc.array(
      fc.record({ name: fc.constantFrom("problem", "fault"), mark: mostly<string | undefined>("replayed", undefined) }),
      { maxLength: 3 },
    ),
    document: seldomUnread(documented),
    metrics: seldomUnread(
      mostly(
        ["idempotency_requests_total", "idempotency_retry_delay_seconds"],
        ["idempotency_requests_total"],
        ["idempotency_requests_total", "idempotency_retry_delay_seconds", "up"],
        [],
      ),
    ),
    traces: fc.boolean(),
  }),
  policies,
  answers: seldomUnread(
    fc
      .record({
        looked: few,
        since: mostly<string | undefined>("2026-11-22T08:00:00.000000Z", undefined),
        replays: few,
        conflicts: few,
        differing: wrong,
        untraceable: wrong,
        accepted: wrong,
      })
      .map((all) => ({
        ...all,
        // What is wrong is some of what was looked at.
        looked: Math.min(5, all.looked),
        replays: Math.max(all.replays, all.differing.count),
        conflicts: Math.max(all.conflicts, all.accepted.count),
        untraceable: all.looked === 0 ? { count: 0, ids: [] } : all.untraceable,
      })),
  ),
  counted: seldomUnread(fc.record({ conflicts: few, replays: few })),
  retries: seldomUnread(
    fc
      .tuple(
        ...["till", "kiosk"].map((client) =>
          fc.record({
            client: fc.constant(client),
            retries: fc.constantFrom(0, 1, 9, 90, 100),
            tooSoon: mostly(0, 2, 4, 5),
            hopeless: mostly(0, 1, 4),
          }),
        ),
      )
      .map((all) => all.filter(({ retries }) => retries > 0)),
  ),
  keys: seldomUnread(
    fc
      .record({
        keys: few,
        unhashed: wrong,
        effects: fc.tuple(
          ...(["payment", "refund", "void"] as const).map((kind) =>
            fc
              .record({ kind: fc.constant(kind), looked: fc.constantFrom(0, 0, 1, 5), unkeyed: wrong })
              .map((one) => ({ ...one, looked: Math.max(one.looked, one.unkeyed.count) })),
          ),
        ),
      })
      .map((all) => ({ ...all, keys: Math.min(5, Math.max(all.keys, all.unhashed.count)) })),
  ),
  constraints: seldomUnread(fc.record({ all: fc.constant(9), missing: fc.subarray(CONSTRAINTS) })),
  cleanup: seldomUnread(
    fc.record({
      daysAhead: fc.integer({ min: 0, max: 8 }),
      lastRunAt: mostly<string | undefined>("2026-11-20T10:15:00.000000Z", undefined),
      overdueRecords: mostly(0, 1, 12),
      overdueWindows: mostly(0, 1, 12),
      overdueBodies: mostly(0, 1, 12),
    }),
  ),
  open: seldomUnread(
    fc
      .record({ unknown: few, stale: few, staleFor: fc.constantFrom(60_000, 360_000) })
      .map(({ unknown, stale, staleFor }) => ({
        unknown,
        stale,
        oldestUnknownMs: unknown === 0 ? undefined : 3_600_000,
        oldestStaleMs: stale === 0 ? undefined : staleFor,
      })),
  ),
  invariants: fc.tuple(...CHECKED_NAMES.map(run)).map((runs) =>
    runs.map(({ checked, violations, capped, ...rest }) => ({
      ...rest,
      checked,
      holds: checked && violations === 0,
      violations: checked ? violations : 0,
      capped: checked && violations > 0 && capped,
    })),
  ),
  loops: seldomUnread(
    fc
      .tuple(
        ...LOOPS.map((loop) =>
          fc.record({
            loop: fc.constant(loop),
            instance: fc.constant("worker-1"),
            ageMs: fc.constant(1_000),
            intervalMs: fc.constant(1_000),
            state: mostly<"beating" | "late" | "stopped">("beating", "late", "stopped"),
            error: mostly<string | undefined>(undefined, "denied"),
            gone: mostly(false, true),
          }),
        ),
      )
      .map((all) => all.filter(({ gone }) => !gone).map(({ gone: _, ...row }) => row)),
  ),
});
