import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { RetentionPreview, RetentionView as View } from "@/presentation/views/retention";
import { RetentionView } from "./retention-view";

const preview: RetentionPreview = {
  at: SAMPLE_NOW,
  bodyTtlHours: 72,
  idempotencyTtlHours: 24,
  metadataTtlDays: 400,
  otherwise: [],
  operations: 2,
  bodyRows: 4,
  bytes: "2048",
  losingReplay: 0,
  skippedOpen: 0,
  mayRunAgain: 0,
  atLeast: false,
  tooBroad: false,
};

const noKeys = {
  ...{ store: "env", away: false },
  ...{ live: 0, destroyed: 0, otherEntry: 0, withoutStore: 0, otherStore: 0, waiting: 0 },
};

export function sampleRetention(counts: Partial<RetentionPreview> = {}, changes: Partial<View> = {}): View {
  return {
    preview: { ...preview, ...counts },
    runs: { rows: [], at: SAMPLE_NOW },
    run: { action: "purge_body", label: "Purge", allowed: true },
    keys: noKeys,
    losing: [],
    tables: [],
    ...changes,
  };
}

const retention = (counts?: Partial<RetentionPreview>, changes?: Partial<View>) =>
  inLive(<RetentionView view={sampleRetention(counts, changes)} address={{ path: "/retention", search: {} }} />);

export const retentionParts: readonly Part[] = [
  {
    name: "RetentionView",
    states: [
      {
        name: "nothing can be purged",
        shows: retention({ bodyRows: 0, operations: 0, bytes: "0" }),
        says: ["Nothing can be purged.", "No run is on record.", "The sizes could not be read in time.", "none yet"],
        lacks: ["Affected callers", "Set differently", "skipped, still open."],
      },
      {
        name: "some bodies, no replay is lost",
        shows: retention({ oldest: "2026-11-01T00:00:00Z" }),
        says: ["4 bodies can be purged", "No byte-equal replay is lost.", "oldest body"],
      },
      {
        name: "one body whose key loses its replay, one is open and two may run again",
        shows: retention(
          { bodyRows: 1, losingReplay: 1, skippedOpen: 1, mayRunAgain: 2 },
          {
            losing: [
              { operationId: SAMPLE_ID, kind: "Payment", key: "order-1", client: "shop", expiresAt: SAMPLE_NOW },
            ],
          },
        ),
        says: [
          "1 body can be purged",
          "1 key loses byte-equal replay.",
          "1 skipped, still open.",
          "2 skipped, may run again.",
          "1 key would answer without the stored bytes.",
          "Affected callers",
          "order-1",
        ],
        lacks: ["No byte-equal replay is lost."],
      },
      {
        name: "more than were counted",
        shows: retention({ bodyRows: 10_000, atLeast: true, losingReplay: 3 }),
        says: ["10,000+ bodies can be purged, 2.0 KB or more.", "so numbers are at least", "3+ keys would answer"],
      },
      {
        name: "the count took too long",
        shows: retention({ tooBroad: true }),
        says: ["could not be counted in time.", "The preview took too long and was stopped.", "Count again"],
        lacks: ["What a purge would do now"],
      },
      {
        name: "this person may not",
        shows: retention({}, { run: { action: "purge_body", label: "Purge", allowed: false, whyNot: "Needs admin." } }),
        says: ["Not offered: Needs admin."],
        off: ["Purge expired bodies now"],
      },
      {
        name: "not allowed, and nobody said why",
        shows: retention({}, { run: { action: "purge_body", label: "Purge", allowed: false } }),
        says: ["Not offered now."],
        lacks: ["Not offered: Not offered now."],
        off: ["Purge expired bodies now"],
      },
      {
        name: "keys are in a key store, and some not yet",
        shows: retention(
          {},
          { keys: { ...noKeys, store: "file", live: 4, withoutStore: 1, otherStore: 2, waiting: 3 } },
        ),
        says: [
          "files",
          "1, being moved",
          "In another key store2 days",
          "Still to be destroyed in it3 days",
          "also not with",
        ],
        lacks: ["does not answer", "such as one in a backup"],
      },
      {
        name: "the key store does not answer",
        shows: retention({}, { keys: { ...noKeys, store: "postgres", away: true, live: 2, otherStore: 2 } }),
        says: ["does not answer"],
        lacks: ["In another key store", "Not in it yet", "Still to be destroyed"],
      },
      {
        name: "much has happened",
        shows: retention(
          {
            otherwise: [{ operation: "payouts", kind: "Payout", bodyTtlHours: 1, ttlHours: 2, metadataTtlDays: 3 }],
          },
          {
            keys: {
              ...noKeys,
              live: 3,
              oldestLive: "2026-11-19",
              destroyed: 1,
              lastDestroyed: "2026-11-18",
              otherEntry: 2,
            },
            tables: [{ name: "inbox_arrivals", days: 7, bytes: "1024" }],
            runs: {
              rows: [
                {
                  id: "1",
                  at: SAMPLE_NOW,
                  actor: "retain",
                  kind: "retain",
                  rows: 5,
                  bytes: "0",
                  detail: { bodies: 0, operations: 5, expired: 1, destroyedKeys: ["2026-11-19"] },
                },
                {
                  id: "2",
                  at: SAMPLE_NOW,
                  actor: "Ada",
                  kind: "purge_body",
                  rows: 2,
                  bytes: "64",
                  detail: { operationId: SAMPLE_ID },
                },
              ],
              at: SAMPLE_NOW,
              next: "older",
            },
          },
        ),
        says: [
          "1 h, 2 h, 3 days",
          "3 days",
          "2, being moved",
          "Arrivals",
          "Scheduled cleanup 5 operations, 1 key expired, 1 day's body key destroyed",
          "5 rows",
          "2 rows",
          "none",
        ],
        lacks: ["destroyedKeys", "operationId", "0 bodies"],
        has: [`a[href="/operations/${SAMPLE_ID}"]`, 'a[href="/policies/payouts"]', 'a[href="/retention?cursor=older"]'],
        off: ["Newer"],
      },
    ],
  },
];
