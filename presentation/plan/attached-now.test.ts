import fc from "fast-check";
import { expect, it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { attachedNowWords } from "./attached-now";

const nats = fc.nat(3);

it("TRUTH-1 the page of a plan says whether its rows were asked about, and how many are still dead", () => {
  holdSentences(
    fc.record({
      kind: fc.constantFrom("requeue_attached" as const, "discard_attached" as const, "purge_attached" as const),
      asked: fc.boolean(),
      dead: nats,
      gone: nats,
      alone: nats,
    }),
    ({ kind, asked, dead, gone, alone }) => {
      const isAsked = asked && kind !== "purge_attached";
      const row = (count: number, result: "waiting" | "left", now: "acts" | "settled") =>
        count === 0 ? [] : [{ ...{ result, now, count }, verdict: "dead_there" as const }];
      const rest = [
        ...row(dead, "waiting", "acts"),
        ...row(gone, "waiting", "settled"),
        ...row(alone, "left", "settled"),
      ];
      const because = kind === "purge_attached" ? {} : { because: "It is away." };
      const words = attachedNowWords({
        kind,
        rest: isAsked ? rest : undefined,
        theirs: isAsked ? { asked: true } : { asked: false, ...because },
      });
      return [words];
    },
    [
      [
        /^Asked for this page: the row that is left is dead there\.$/,
        ({ kind, asked, dead, gone }) => kind !== "purge_attached" && asked && dead === 1 && gone === 0,
      ],
      [
        /^Asked for this page: all (\d+) rows that are left are dead there\.$/,
        ({ kind, asked, dead, gone }, all = "") =>
          kind !== "purge_attached" && asked && gone === 0 && dead > 1 && figure(all) === dead,
      ],
      [
        /^Asked for this page: (\d+) of (\d+) that are left (is|are) dead there\.$/,
        ({ kind, asked, dead, gone }, some = "", all = "", verb) =>
          kind !== "purge_attached" &&
          asked &&
          gone > 0 &&
          figure(some) === dead &&
          figure(all) === dead + gone &&
          (verb === "is") === (dead === 1),
      ],
      [
        /^Asked for this page: no row is left to act\.$/,
        ({ kind, asked, dead, gone }) => kind !== "purge_attached" && asked && dead + gone === 0,
      ],
      [
        /^Not asked for this page\. It is away\. Verdicts are as they were frozen\.$/,
        ({ kind, asked }) => kind !== "purge_attached" && !asked,
      ],
      [
        /^Not counted again for this page: the function decides when a batch runs\.$/,
        ({ kind }) => kind === "purge_attached",
      ],
    ],
  );
});

it("says nothing of a plan over our own rows", () => {
  expect(attachedNowWords({ kind: "requeue_dead_letters", rest: [], theirs: undefined })).toBe("");
});
