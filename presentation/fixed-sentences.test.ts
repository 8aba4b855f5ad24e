import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSentences, sentencesInFile } from "./testing/find-sentences";
import { isBasis, readBases } from "./testing/fixed-basis";

const FOLDERS = ["app", "components", "console", "domain", "presentation"];

/** What the tests of all folders say, in one line, so that a sentence may be broken over lines there. */
const said = [...FOLDERS, "auth", "e2e", "engine", "http", "payments", "tests", "worker"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:test|spec)\.tsx?$|(?:^|\/)(?:testing|support)\/.*\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  )
  .filter((path) => path !== join("presentation", "fixed-sentences.test.ts"))
  .map((path) => readFileSync(path, "utf8").replaceAll(/\s+/g, " "))
  .join("\n");

const fixed = findSentences(...FOLDERS).flatMap(({ file, fixed: texts }) =>
  [...new Set(texts)].filter((text) => !said.includes(text)).map((text) => ({ file, text })),
);
const bases = readBases();

describe("TRUTH-1 every fixed sentence is asserted by a test, or names the test that fails when it is false", () => {
  it("no sentence is without a basis: name it in presentation/testing/fixed", () => {
    expect(fixed.filter(({ file, text }) => bases[file]?.[text] === undefined)).toEqual([]);
  });

  it("each basis is a test that is there, or says that the sentence only asks", () => {
    const wrong = Object.entries(bases).flatMap(([file, texts]) =>
      Object.entries(texts)
        .filter(([, basis]) => !isBasis(basis))
        .map(([text, basis]) => ({ file, text, basis })),
    );
    expect(wrong).toEqual([]);
  });

  it("names no sentence that is gone or that a test says itself", () => {
    const there = new Set(fixed.map(({ file, text }) => `${file} ${text}`));
    const gone = Object.entries(bases).flatMap(([file, texts]) =>
      Object.keys(texts)
        .map((text) => `${file} ${text}`)
        .filter((each) => !there.has(each)),
    );
    expect(gone).toEqual([]);
  });

  it("finds sentences in elements and texts, and leaves out labels and claims", () => {
    const source = `
      const label = "Not sent yet.";
      const text = "Nothing is sent before the plan starts.";
      const claim = { name: "a", holds: () => true, words: () => "This has its own predicate." };
      const view = <p>No row of this list is touched. <b>Never</b></p>;`;
    expect(sentencesInFile("some.tsx", source).fixed).toEqual([
      "Nothing is sent before the plan starts.",
      "No row of this list is touched.",
    ]);
  });

  it("takes no basis that names a test that is not there", () => {
    expect(isBasis("asks")).toBe(true);
    expect(isBasis("presentation/fixed-sentences.test.ts > takes no basis")).toBe(true);
    for (const wrong of [
      "rule",
      "presentation/fixed-sentences.test.ts",
      "presentation/fixed-sentences.test.ts > some other title",
      "presentation/nowhere.test.ts > takes no basis",
      "presentation/testing/fixed-basis.ts > isBasis",
    ])
      expect(isBasis(wrong)).toBe(false);
  });
});
