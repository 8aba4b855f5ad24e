import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { AuditDetail, AuditFold, AuditRow } from "@/presentation/views/audit";
import { AuditEntry } from "./audit-entry";
import { AuditView, type AuditViewProps } from "./audit-view";

const row: AuditRow = {
  id: SAMPLE_ID,
  sequence: "41",
  at: "2026-11-22T14:20:00Z",
  actorKind: "operator",
  actorName: "Ada",
  action: "operations.resolve",
  subjectType: "operation",
  subjectId: SAMPLE_ID,
};
const fold: AuditFold = {
  cause: `plan:${SAMPLE_ID}`,
  entries: 120,
  actions: ["inbox.requeue", "outbox.requeue"],
  subjectTypes: ["inbox", "outbox"],
  actors: 1,
  reasons: 1,
  oldest: "12",
  from: "2026-11-22T14:10:00.000000Z",
  to: "2026-11-22T14:20:01.000000Z",
};
const page = (...rows: readonly AuditRow[]) => ({ list: { kind: "page" as const, rows, at: SAMPLE_NOW } });
const audit = (changes: Partial<AuditViewProps> = {}) =>
  inLive(
    <AuditView
      view={page(row)}
      filters={{ range: "24h" }}
      problems={[]}
      address={{ path: "/audit", search: {} }}
      now={SAMPLE_NOW}
      opened={undefined}
      verify={false}
      facts={{ page: "audit", tenant: "acme", views: [] }}
      {...changes}
    />,
  );
const entry = (changes: Partial<AuditDetail> = {}) => (
  <AuditEntry
    now={SAMPLE_NOW}
    entry={{ ...row, actorId: "p1", previousHash: "aa".repeat(32), hash: "bb".repeat(32), ...changes }}
  />
);

export const auditParts: readonly Part[] = [
  {
    name: "AuditView",
    states: [
      {
        name: "entries",
        shows: audit({
          view: page(
            { ...row, reason: "the bank said so", subjectEmail: "bo@acme.example" },
            { ...row, id: "e2", action: "sessions.sign_in" },
            { ...row, id: "e3" },
          ),
        }),
        says: ["Resolve", "Signing in", "the bank said so", "bo@acme.example", "not asked", "none given", "Access log"],
        has: ['[title="operations.resolve"]', '[title="the bank said so"]'],
        lacks: ["No entry", "took too long", "no such entry"],
        off: ["Newer", "Older"],
      },
      {
        name: "a plan and a request on a line each",
        shows: audit({
          view: page(
            { ...row, reason: "the partner is back", fold },
            { ...row, id: "e2", reason: "x", fold: { ...fold, cause: "request:r1", actors: 3, reasons: 2 } },
            { ...row, id: "e3", action: "plans.run" },
          ),
        }),
        says: [
          "Requeue in the inbox, requeue in the outbox 120 entries",
          "inbox, outbox of one plan",
          "the partner is back",
          "of one request",
          "and 2 others",
          "2 reasons",
          "50 lines a page",
        ],
        has: ['a[href*="cause=plan%3A"][href*="from=2026"]'],
        off: ["Newer", "Older"],
      },
      {
        name: "the entries of one plan",
        shows: audit({ filters: { range: "30d", cause: fold.cause, from: fold.from, to: fold.to } }),
        says: ["cause", "50 entries a page"],
        off: ["Newer", "Older"],
      },
      {
        name: "an entry that is not there",
        search: `open=${SAMPLE_ID}`,
        shows: audit({ opened: { name: SAMPLE_ID, value: "gone" } }),
        says: [
          "There is no such entry.",
          "The address is wrong, or it belongs to another tenant or to the other chain.",
        ],
        off: ["Newer", "Older"],
      },
      {
        name: "nobody acted",
        shows: audit({ view: page() }),
        says: ["No entry in this time.", "Show all time"],
        lacks: ["Clear the filters", "No entry matches"],
      },
      {
        name: "nothing matches",
        shows: audit({ view: page(), filters: { range: "all", actor: "Bo" } }),
        says: ["No entry matches these filters.", "Clear the filters"],
        lacks: ["Show all time", "in this time"],
      },
      {
        name: "too wide",
        shows: audit({ view: { list: { kind: "too_broad", stoppedAfterSeconds: 3 } } }),
        says: ["This search took too long.", "It stopped after 3 s.", "Use 24 hours"],
        hasNot: ["table"],
      },
      {
        name: "the access log, nobody came",
        shows: audit({ view: page(), filters: { range: "24h", chain: "access" } }),
        says: ["Who signed in and out", "No entry in this time."],
      },
      {
        name: "this person may neither verify nor read the access log",
        shows: audit({ verifyNot: "You need the role auditor.", accessNot: "The access log is not for you." }),
        says: ["The access log is not for you.", "You need the role auditor."],
        lacks: ["Access log\n"],
        hasNot: ['a[href*="chain=access"]'],
        off: ["Newer", "Older", "Verify the whole chain"],
      },
    ],
  },
  {
    name: "AuditEntry",
    states: [
      {
        name: "nothing noted",
        shows: entry(),
        says: ["Ada: Resolve", "operations.resolve", "Nothing was noted before or after.", "0 values changed"],
        lacks: ["Evidence", "Request"],
      },
      {
        name: "a change with its reason and evidence",
        shows: entry({
          reason: "the bank said so",
          before: { state: "UNKNOWN", note: "x" },
          after: { state: "COMPLETED", note: "x" },
          evidence: { lookup: SAMPLE_ID },
          requestId: SAMPLE_ID,
          href: "/operations/1",
          actorEmail: "ada@acme.example",
        }),
        says: [
          "1 value changed",
          "UNKNOWN",
          "COMPLETED",
          "Evidence",
          "Request",
          "ada@acme.example",
          "the bank said so",
        ],
        lacks: ["Nothing was noted"],
        has: ["del", "ins", 'a[href="/operations/1"]', `a[href="/find?q=${SAMPLE_ID}"]`],
      },
      {
        name: "more values than are shown",
        shows: entry({ after: Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`name${String(at)}`, at])) }),
        says: ["more."],
      },
    ],
  },
];
