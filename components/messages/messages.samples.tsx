import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { AttemptRow, CauseRow } from "@/presentation/views/messages";
import { AttemptsSection } from "./attempts-section";
import { CausesSection } from "./causes-section";
import { NextTry, OperationLink, RequeueButton, Safe } from "./message-cells";
import { PlaceErrors } from "./place-errors";
import { VerdictCountsLine } from "@/components/dead-letters/dead-letter-groups";

const LONG = "x".repeat(120);
const safe = { glyph: "proven", tone: "proven", text: "Safe." } as const;
const attempts = (...attemptsMade: readonly AttemptRow[]) => (
  <AttemptsSection
    done="acknowledged"
    message={{
      attemptsMade,
      lanes: undefined,
      at: SAMPLE_NOW,
      attempts: attemptsMade.length,
      unfinished: 0,
      maxAttempts: 8,
    }}
  />
);
const attempt = (facts: Partial<AttemptRow>): AttemptRow => ({
  number: 1,
  outcome: "failed",
  at: SAMPLE_NOW,
  afterMs: 1_000,
  ...facts,
});
const causes = (...rows: readonly Partial<CauseRow>[]) => (
  <CausesSection
    now={SAMPLE_NOW}
    causes={rows.map((row, index) => ({
      id: String(index),
      depth: index,
      glyph: "executed",
      what: "Payment",
      fact: "created",
      ...row,
    }))}
  />
);

export const messageParts: readonly Part[] = [
  {
    name: "AttemptsSection",
    states: [
      {
        name: "nobody tried",
        shows: attempts(),
        says: ["Not tried yet.", "0 started of 8"],
        hasNot: ["table"],
      },
      {
        name: "tried, and its attempts are kept no more",
        shows: (
          <AttemptsSection
            done="acknowledged"
            message={{ attemptsMade: [], lanes: undefined, at: SAMPLE_NOW, attempts: 8, unfinished: 0, maxAttempts: 8 }}
          />
        ),
        says: ["The attempts are not on record any more.", "8 started of 8"],
        hasNot: ["Not tried"],
      },
      {
        name: "failed",
        shows: attempts(attempt({ code: "delivery.http_500", error: "Internal", who: "relay-1" })),
        says: ["Failed", "delivery.http_500: Internal", "relay-1"],
      },
      { name: "failed, without its reason", shows: attempts(attempt({})), says: ["no reason kept", "not kept"] },
      {
        name: "lost",
        shows: attempts(attempt({ outcome: "lost" })),
        says: ["Lost", "Its lease ran out before it ended"],
      },
      {
        name: "the last one",
        shows: attempts(attempt({ outcome: "dead", code: "delivery.timeout", error: "" })),
        says: ["The last one failed", "delivery.timeout"],
      },
      {
        name: "under way",
        shows: attempts(attempt({ outcome: "running", at: "2026-11-22T14:31:05Z" })),
        says: ["Under way", "lease until 14:31:05"],
      },
      { name: "succeeded", shows: attempts(attempt({ outcome: "succeeded" })), says: ["Succeeded", "acknowledged"] },
    ],
  },
  {
    name: "CausesSection",
    states: [
      { name: "unknown causes", shows: causes(), hasNot: ["*"] },
      {
        name: "this message under its operation",
        shows: causes({ href: "/operations/1" }, { what: "payment.succeeded", href: "/outbox/1", here: true }),
        says: ["this message ·"],
        has: ['a[href="/operations/1"]', '[aria-current="true"] b'],
        hasNot: ['a[href="/outbox/1"]'],
      },
      {
        name: "what is missing",
        shows: causes({ gap: true, tone: "broken" }, { gap: true }, { glyph: "empty" }),
        has: ['[data-gap="broken"]', '[data-gap="doubt"]', "[data-off]:not([data-gap])"],
      },
    ],
  },
  {
    name: "PlaceErrors",
    states: [
      {
        name: "none",
        shows: <PlaceErrors side="outbox" place="payments" errors={[]} now={SAMPLE_NOW} />,
        says: ["No open message has an error."],
      },
      {
        name: "of dead letters",
        shows: (
          <PlaceErrors
            side="inbox"
            place="ledger"
            now={SAMPLE_NOW}
            errors={[{ code: "a.b", error: "", fingerprint: "f7", waiting: 0, dead: 3 }]}
          />
        ),
        has: ['a[href="/dead-letters?side=inbox&place=ledger&fingerprint=f7"]'],
      },
      {
        name: "of what waits in the outbox",
        shows: (
          <PlaceErrors
            side="outbox"
            place="payments"
            now={SAMPLE_NOW}
            errors={[{ code: "a.b", error: "", waiting: 2, dead: 0 }]}
          />
        ),
        has: ['a[href="/outbox?topic=payments&state=failing&error=a.b"]'],
      },
      {
        name: "of what waits in the inbox",
        shows: (
          <PlaceErrors
            side="inbox"
            place="ledger"
            now={SAMPLE_NOW}
            errors={[{ code: "a.b", error: "", waiting: 2, dead: 0 }]}
          />
        ),
        has: ['a[href="/inbox?consumer=ledger&failing=true&range=all&error=a.b"]'],
      },
    ],
  },
  {
    name: "Safe",
    states: [
      { name: "verdict alone", shows: <Safe said={safe} />, says: ["Safe."], hasNot: ["small", "[data-quiet]"] },
      { name: "with its error", shows: <Safe said={safe} code="a.b" error="no route" />, says: ["a.b: no route"] },
      {
        name: "a long error is cut, and whole in its title",
        shows: <Safe said={safe} code="a.b" error={LONG} />,
        says: [`a.b: ${"x".repeat(90)}…`],
        has: [`small[title="${LONG}"]`],
      },
      { name: "code without a text", shows: <Safe said={safe} code="a.b" error="" />, says: ["a.b"], lacks: ["a.b:"] },
      {
        name: "a note instead",
        shows: <Safe said={{ ...safe, tone: "quiet" }} code="a.b" error="no route" note="of 3" />,
        says: ["of 3"],
        lacks: ["a.b"],
        has: ["[data-quiet]"],
      },
    ],
  },
  {
    name: "NextTry",
    states: [
      {
        name: "nobody has it",
        shows: (
          <NextTry row={{}} now={SAMPLE_NOW}>
            in 38 s
          </NextTry>
        ),
        says: ["in 38 s"],
      },
      {
        name: "under a lease",
        shows: (
          <NextTry row={{ owner: "relay-1", lockedUntil: "2026-11-22T14:30:30.000000Z" }} now={SAMPLE_NOW}>
            in 38 s
          </NextTry>
        ),
        says: ["relay-1", "until 14:30:30"],
        lacks: ["in 38 s"],
      },
      {
        name: "a lease that ran out",
        shows: (
          <NextTry row={{ owner: "relay-1", lockedUntil: "2026-11-22T14:29:59.000000Z" }} now={SAMPLE_NOW}>
            now
          </NextTry>
        ),
        says: ["now"],
        lacks: ["relay-1"],
      },
    ],
  },
  {
    name: "OperationLink",
    states: [
      { name: "none", shows: <OperationLink id={undefined} />, says: ["none"], hasNot: ["a"] },
      { name: "one", shows: <OperationLink id={SAMPLE_ID} />, has: [`a[href="/operations/${SAMPLE_ID}"]`] },
    ],
  },
  {
    name: "RequeueButton",
    states: [
      {
        name: "offered",
        shows: <RequeueButton name="requeue:1" />,
        has: ['a[href*="dialog=requeue%3A1"]'],
      },
      {
        name: "not dead any more",
        shows: <RequeueButton name="requeue:1" whyNot="It is no longer dead." />,
        says: ["It is no longer dead."],
        off: ["Requeue"],
      },
      {
        name: "would do nothing",
        shows: (
          <RequeueButton
            name="requeue:1"

            whyNot="Still leased."
          />
        ),
        says: ["Still leased."],
        off: ["Requeue"],
      },
    ],
  },
  {
    name: "AttemptMeter",
    states: [
      {
        name: "two of eight",
        shows: <AttemptMeter attempts={2} max={8} dead={false} />,
        says: ["2 of 8 attempts"],
        has: ['rect:nth-child(2)[height="8"]', 'rect:nth-child(3)[height="1"]'],
        hasNot: ['[fill="var(--ob-broken)"]'],
      },
      {
        name: "dead",
        shows: <AttemptMeter attempts={8} max={8} dead />,
        has: ['[fill="var(--ob-broken)"]'],
        hasNot: ['[height="1"]'],
      },
      {
        name: "more attempts than marks",
        shows: <AttemptMeter attempts={25} max={50} dead={false} />,
        has: ['rect:nth-child(6)[height="8"]', 'rect:nth-child(7)[height="1"]'],
        hasNot: ["rect:nth-child(13)"],
      },
    ],
  },
  {
    name: "VerdictCountsLine",
    states: [
      { name: "none", shows: <VerdictCountsLine counts={{}} outlooks={{}} />, says: ["none is open"] },
      {
        name: "in the order of verdicts",
        shows: (
          <VerdictCountsLine
            counts={{ operation_unknown: 5, safe: 120, moved: 0 }}
            outlooks={{ dies: 90, likely: 30 }}
            of={1_000}
          />
        ),
        says: ["120 safe", "5 operation unknown", "30 likely to succeed 90 likely to die again", "of the newest 1,000"],
        lacks: ["moved"],
      },
    ],
  },
];
