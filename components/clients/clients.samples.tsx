import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { ClientDetail, ClientKeyView, ClientListRow, ClientReport } from "@/presentation/views/clients";
import type { VerdictView } from "@/presentation/views/common";
import { ClientView } from "./client-view";
import { ClientsView } from "./clients-view";
import { RecentCallers } from "./recent-callers";

const verdict = (text: string, tone: "fine" | "doubt" = "fine"): VerdictView => ({ text, clauses: [{ text, tone }] });
const address = { path: "/clients", search: {} };
const choices = { scopes: ["payments", "admin"], profiles: ["problem", "stripe"], overlapHours: 24, maxLiveKeys: 2 };
const report: ClientReport = {
  client: "shop",
  registered: true,
  requests: 1_200,
  executed: 1_000,
  replayed: 200,
  conflicts: 0,
  inFlight: 0,
  expired: 0,
  noKey: 0,
  badKey: 0,
  invalid: 0,
  limited: 0,
  again: 200,
  afterWindow: 0,
  fast: 0,
  conflictKeys: 0,
  conflictKinds: { amount: 0, foreign: 0, fields: 0, unknown: 0 },
  verdict: verdict("Uses its keys well."),
  weight: 0,
};
const clients = (rows: readonly Partial<ClientListRow>[], whyNot?: string, cut = false) =>
  inLive(
    <ClientsView
      address={address}
      view={{
        at: SAMPLE_NOW,
        range: "24h",
        from: SAMPLE_NOW,
        rows: rows.map((row) => ({ ...report, liveKeys: 1, ...row })),
        cut,
        verdict: verdict("All is well."),
        choices,
        whyNot,
      }}
    />,
  );

export function sampleKey(changes: Partial<ClientKeyView> = {}): ClientKeyView {
  return { id: "k1", scopes: ["payments"], profile: "problem", createdAt: SAMPLE_NOW, state: "live", ...changes };
}

export function sampleClient(changes: Partial<ClientDetail> = {}): ClientDetail {
  return {
    at: SAMPLE_NOW,
    range: "24h",
    from: SAMPLE_NOW,
    report,
    advice: [],
    message: "Dear shop",
    bucketHours: 1,
    buckets: [SAMPLE_NOW],
    series: [{ name: "executed", values: [3], total: 3 }],
    conflicts: [],
    fastRetries: [],
    fastLookedAt: 500,
    client: { scopes: ["payments"], profile: "problem", createdAt: SAMPLE_NOW },
    keys: [],
    lastHour: 40,
    choices,
    ...changes,
  };
}

const client = (changes: Partial<ClientDetail> = {}) =>
  inLive(<ClientView detail={sampleClient(changes)} address={address} />);
const callers = (open: boolean, names: readonly string[]) => (
  <RecentCallers
    view={{
      at: SAMPLE_NOW,
      operationId: SAMPLE_ID,
      windowHours: 24,
      expiresAt: SAMPLE_NOW,
      open,
      callers: names.map((name) => ({
        client: name,
        requests: 2,
        firstAt: SAMPLE_NOW,
        lastAt: SAMPLE_NOW,
        lastOutcome: "in_progress",
      })),
    }}
  />
);

export const clientParts: readonly Part[] = [
  {
    name: "ClientsView",
    states: [
      {
        name: "more names than are ranked",
        shows: clients([{}, { client: "web" }], undefined, true),
        says: ["the first 200 names, worst of these first.", "2 clients, not all"],
        lacks: ["keys, worst first.", "No client is kept here"],
      },
      {
        name: "no client",
        shows: clients([]),
        says: [
          "No client is kept here, and no request was counted in this time.",
          "0 clients",
          "Add a client",
          "not rolled up yet",
        ],
        hasNot: ["table"],
      },
      {
        name: "this person may not add one",
        shows: clients([{}], "You need the role admin."),
        says: ["1 client", "You need the role admin.", "1,000 executed", "never"],
        off: ["Add a client"],
      },
      {
        name: "with faults",
        shows: clients([
          {
            requests: 1,
            conflicts: 7,
            conflictRate: 0.0004,
            replayRate: 0.053,
            reuse: { medianMs: 2_000, p95Ms: 9_000, maxMs: 60_000 },
            afterWindow: 4,
            registered: false,
            lastUsedAt: SAMPLE_NOW,
            verdict: verdict("Sends other commands.", "doubt"),
          },
        ]),
        says: ["1 request", "under 0.1 %", "5.3 %", "about 2.00 s", "p95 9.00 s", "4 too late", "not kept here"],
        has: ['[data-tone="doubt"]', 'a[href="/clients/shop"]'],
      },
    ],
  },
  {
    name: "ClientView",
    states: [
      {
        name: "a good one without a key",
        shows: client(),
        says: [
          "Nothing: what was counted of it asks for no change.",
          "No key yet: nobody can call the API as this client.",
          "nobody yet",
          "0 open",
          "per hour",
          "this hour",
          "Change",
          "Create a key",
        ],
        lacks: ["Retries too fast", "All its conflicts", "It looked", "No client of this name"],
      },
      {
        name: "not kept here",
        shows: client({ client: undefined }),
        says: ["No client of this name is kept here: it is known from its requests alone."],
        lacks: ["Create a key", "Contact"],
      },
      {
        name: "with keys in each state",
        shows: client({
          keys: [
            sampleKey({ lastUsedAt: SAMPLE_NOW, createdBy: "Ada" }),
            sampleKey({ id: "k2", state: "ending", expiresAt: "2026-11-23T14:30:00Z" }),
            sampleKey({ id: "k3", state: "revoked", revokedAt: SAMPLE_NOW, revokedBy: "Bo" }),
            sampleKey({ id: "k4", state: "ended", expiresAt: "2026-11-20T14:30:00Z" }),
          ],
        }),
        says: [
          "2 open",
          "A client has at most 2 keys at once.",
          "no end",
          "by Bo",
          "never used",
          "on the command line",
        ],
        has: ['a[href*="revoke%3Ak1"]', 'a[href*="rotate%3Ak2"]'],
        hasNot: ['a[href*="revoke%3Ak3"]', 'a[href*="revoke%3Ak4"]'],
        off: ["Create a key"],
      },
      {
        name: "this person may not",
        shows: client({ keys: [sampleKey()], whyNot: "You need the role admin." }),
        off: ["Change", "Create a key", "Rotate", "Revoke"],
      },
      {
        name: "with misuse",
        shows: client({
          range: "30d",
          bucketHours: 6,
          rolledUpMs: 60_000,
          advice: [{ name: "conflict", what: "It reuses keys.", todo: "Make one key per action." }],
          report: { ...report, conflicts: 9, conflictKeys: 2, fast: 3, again: 10 },
          conflicts: [
            {
              client: "shop",
              operation: "payments.create",
              kind: "Payment",
              route: "POST /payments",
              count: 9,
              firstAt: SAMPLE_NOW,
              lastAt: SAMPLE_NOW,
              spark: [1, 8],
              differingFields: ["amount", `metadata.${"x".repeat(180)}`],
              eventIds: [SAMPLE_ID],
            },
          ],
          fastRetries: [
            {
              operationId: SAMPLE_ID,
              operation: "payments.create",
              kind: "Payment",
              at: SAMPLE_NOW,
              gapMs: 12,
              outcome: "in_progress",
            },
          ],
        }),
        says: [
          "It reuses keys.",
          "9 requests on 2 keys",
          `other amount, metadata.${"x".repeat(19)}…${"x".repeat(12)}, last`,
          "3 of 10 that were retried",
          "The newest of the last 500 events are shown.",
          "per 6 hours",
          "rolled up",
        ],
        lacks: ["Nothing: what was counted of it asks for no change.", "not rolled up yet"],
        has: [`a[href*="open=${SAMPLE_ID}"]`],
      },
    ],
  },
  {
    name: "RecentCallers",
    states: [
      {
        name: "nobody, and the window is over",
        shows: callers(false, []),
        says: ["Nobody used its key in the last 24 h.", "Its window was over at"],
      },
      {
        name: "somebody, and a retry may come",
        shows: callers(true, ["shop", ""]),
        says: ["2 requests", "answered in progress", "Client not recorded", "Its window is open until"],
        has: ['a[href="/clients/shop"]'],
      },
    ],
  },
];
