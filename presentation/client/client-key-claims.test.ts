import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { fastWords, keyEvidence, keyLimit, noCallers } from "./client-key-claims";

const STATES = ["live", "ending", "ended", "revoked"] as const;

it("TRUTH-1 the page of a client counts its valid keys, and says what it looked at", () => {
  const key = fc.record({ state: fc.constantFrom(...STATES) });
  const caller = {
    client: "shop",
    requests: 1,
    firstAt: "2026-11-22T14:00:00Z",
    lastAt: "2026-11-22T14:00:00Z",
    lastOutcome: "executed",
  } as const;
  const valid = (keys: readonly { readonly state: string }[]): number =>
    keys.length - keys.filter(({ state }) => state === "ended" || state === "revoked").length;
  holdSentences(
    fc.record({
      keys: fc.array(key, { maxLength: 4 }),
      maxLiveKeys: fc.constantFrom(1, 2),
      shown: fc.constantFrom(0, 3),
      fastLookedAt: fc.constantFrom(200, 2_000),
      windowHours: fc.constantFrom(1, 24),
      called: fc.boolean(),
    }),
    ({ keys, maxLiveKeys, windowHours, called, ...fast }) => {
      const of = { client: "shop", keys, maxLiveKeys };
      const callers = called ? [caller] : [];
      return [
        keyEvidence(of),
        keyLimit(of) ?? "another key may be made",
        fastWords(fast),
        noCallers({ operationId: "o1", at: "", callers, open: true, expiresAt: "", windowHours }) ?? "somebody used it",
      ];
    },
    [
      [
        /^shop has (\d+) keys? that (is|are) valid\.$/,
        ({ keys }, count = "", verb) => figure(count) === valid(keys) && (count === "1") === (verb === "is"),
      ],
      [
        /^A client has at most (\d+) keys? at once\.$/,
        ({ keys, maxLiveKeys }, most = "") => valid(keys) >= maxLiveKeys && figure(most) === maxLiveKeys,
      ],
      [/^another key may be made$/, ({ keys, maxLiveKeys }) => valid(keys) < maxLiveKeys],
      [
        /^None is among the newest ([\d,]+) events\.$/,
        ({ shown, fastLookedAt }, most = "") => shown === 0 && figure(most) === fastLookedAt,
      ],
      [
        /^The newest of the last ([\d,]+) events are shown\.$/,
        ({ shown, fastLookedAt }, most = "") => shown > 0 && figure(most) === fastLookedAt,
      ],
      [
        /^Nobody used its key in the last (\d+) h\.$/,
        ({ called, windowHours }, hours = "") => !called && figure(hours) === windowHours,
      ],
      [/^somebody used it$/, ({ called }) => called],
    ],
  );
});
