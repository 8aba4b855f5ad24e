import { describe, expect, it } from "vitest";
import { messageClauses } from "@/presentation/message/message-verdict";
import { sampleInbox, sampleOutbox } from "./message-samples";

const published = { state: "published", publishedAt: "2026-11-22T14:29:02Z", publishedBy: "relay-1" } as const;
const consumer = (name: string, state: string) => ({ inboxId: name, consumer: name, state, at: published.publishedAt });
const handled = { state: "processed", processedAt: "2026-11-22T14:29:02Z" } as const;
const held = { owner: "relay-1", lockedUntil: "2026-11-22T14:30:30.000000Z" };

describe("verdict on a message", () => {
  it.each([
    ["outbox, new", sampleOutbox(), ["Not published yet.", "It is not dead."]],
    ["outbox, tried once", sampleOutbox({ attempts: 1 }), ["doubt: Tried once, not published yet.", "It is not dead."]],
    ["outbox, tried", sampleOutbox({ attempts: 3 }), ["doubt: Tried 3 times, not published yet.", "It is not dead."]],
    ["first attempt", sampleOutbox({ ...held, attempts: 1 }), ["Under way, its first attempt.", "It is not dead."]],
    ["later attempt", sampleOutbox({ ...held, attempts: 2 }), ["Under way, attempt 2.", "It is not dead."]],
    [
      "a lease that ran out",
      sampleOutbox({ ...held, lockedUntil: "2026-11-22T14:29:30.000000Z", attempts: 2 }),
      ["doubt: Tried 2 times, not published yet.", "It is not dead."],
    ],
    [
      "paused before behind",
      sampleOutbox({ paused: true, behind: "m0" }),
      ["doubt: Waits: its topic is paused.", "Nothing is lost."],
    ],
    ["behind", sampleOutbox({ behind: "m0" }), ["doubt: Waits behind an older message.", "It is not dead."]],
    [
      "published",
      sampleOutbox({ ...published, attempts: 1 }),
      ["Published 2.00 s after it was written, at the first attempt."],
    ],
    [
      "published late, dead at one consumer",
      sampleOutbox({
        ...published,
        attempts: 3,
        consumers: [consumer("ledger", "dead"), consumer("mail", "recorded")],
      }),
      ["Published 2.00 s after it was written, at attempt 3.", "broken: It is dead at ledger."],
    ],
    [
      "published, one consumer still has it",
      sampleOutbox({ ...published, consumers: [consumer("ledger", "processed"), consumer("mail", "recorded")] }),
      [expect.stringContaining("Published"), "doubt: mail did not handle it yet."],
    ],
    [
      "published, handled by both",
      sampleOutbox({ ...published, consumers: [consumer("ledger", "processed"), consumer("mail", "processed")] }),
      [expect.stringContaining("Published"), "Handled by ledger and mail."],
    ],
    [
      "closed by a person",
      sampleOutbox({ ...published, publishedBy: "operator" }),
      ["Closed by a person: its consumer had it already."],
    ],
    [
      "published, one consumer discarded it",
      sampleOutbox({ ...published, consumers: [consumer("ledger", "processed"), consumer("mail", "discarded")] }),
      [expect.stringContaining("Published"), "doubt: It was discarded at mail."],
    ],
    [
      "outbox, discarded",
      sampleOutbox({ state: "discarded", attempts: 8 }),
      ["doubt: Discarded by a person.", "It is no longer sent."],
    ],
    [
      "outbox, dead",
      sampleOutbox({ state: "dead", attempts: 8 }),
      ["broken: Dead after 8 attempts.", "It is not dead."],
    ],
    ["inbox, new", sampleInbox(), ["Recorded, not handled yet.", "Arrived once."]],
    ["inbox, tried", sampleInbox({ attempts: 2 }), ["doubt: Tried 2 times, not handled yet.", "Arrived once."]],
    ["inbox, under way", sampleInbox({ ...held, attempts: 1 }), ["Under way, its first attempt.", "Arrived once."]],
    [
      "inbox, dead",
      sampleInbox({ state: "dead", attempts: 1, duplicates: 1 }),
      ["broken: Dead at the first attempt.", "It is not dead.", "Arrived twice, recorded once."],
    ],
    [
      "inbox, discarded",
      sampleInbox({ state: "discarded" }),
      ["doubt: Discarded by a person.", "It is no longer handled.", "Arrived once."],
    ],
    [
      "handled, with another payload",
      sampleInbox({ ...handled, duplicates: 1, mismatches: 1 }),
      [
        "Handled, 2.00 s after it arrived.",
        "Arrived 3 times, recorded once.",
        "conflict: 1 with another payload, never handled.",
      ],
    ],
  ] as const)("%s", (_name, message, clauses) => {
    expect(messageClauses(message).map(({ tone, text }) => (tone === "fine" ? text : `${tone}: ${text}`))).toEqual(
      clauses,
    );
  });
});
