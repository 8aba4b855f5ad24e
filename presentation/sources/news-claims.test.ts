import { describe, expect, it } from "vitest";
import { newsWords } from "./news-claims";

type Facts = Parameters<typeof newsWords>[0];
const read = (newer: number, more = false): Facts["news"] => ({ kind: "read", newer, more, at: "" });

describe("what a list of an attached database says of newer rows", () => {
  it.each<[string, Facts["news"], boolean]>([
    ["1 newer key.", read(1), true],
    ["50+ newer keys.", read(50, true), true],
    // What is known stays known while nothing more is heard.
    ["2 newer keys.", read(2), false],
    ["Not watching for newer rows.", read(0), false],
    ["Not watching for newer rows.", undefined, false],
    ["Its database was not asked for newer rows yet.", undefined, true],
    ["Its database was not asked for newer rows yet.", { kind: "waiting" }, true],
    ["It is away. Newer rows are not known.", { kind: "away", because: "It is away.", at: "" }, true],
    [
      "Newer rows are not watched for. Not watched: dear.",
      { kind: "not_watched", because: "Not watched: dear." },
      true,
    ],
    ["No newer key above these when its database was last asked.", read(0), true],
  ])("%s", (words, news, live) => {
    expect(newsWords({ news, live, row: "key" })).toBe(words);
  });
});
