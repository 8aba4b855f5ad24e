import { describe, expect, test } from "vitest";
import { crashIdsOf, rulesOf, titlesOf, wrongCitations } from "./citations.mjs";

const SPEC = [
  "| id | rule | tested by |",
  "|---|---|---|",
  "| KEY-1 | One key, one effect. | `engine/a.test.ts`, `http/b.http.test.ts` |",
  "| KEY-2 | Nobody has looked. | not tested yet |",
].join("\n");
const known = {
  rules: new Set(["KEY-1", "KEY-2"]),
  crashIds: new Set(["C4"]),
  exists: (path) => path === "docs/SPEC.md",
};
const messages = (path, source) => wrongCitations(path, source, known).map(({ message }) => message);

test("a rule is a row with an id and its test files, or none yet", () => {
  expect(rulesOf(SPEC)).toEqual([
    { id: "KEY-1", line: 3, files: ["engine/a.test.ts", "http/b.http.test.ts"], untested: false },
    { id: "KEY-2", line: 4, files: [], untested: true },
  ]);
});

test("crash points are the ids of the tables, and those that the text defines", () => {
  expect([...crashIdsOf("| C4 | before |\nR8 is not a place. O5 is the same for a relay; as P2")]).toEqual([
    "C4",
    "R8",
    "O5",
  ]);
});

test("a title stands after it, test, describe, or the table of one of them", () => {
  const source = 'describe("A", () => {\n  it.each([["x"]])("B %s", f);\n  it.skipIf(no)(\n    "C",\n  );\n});';
  expect(titlesOf(source)).toEqual([
    { title: "A", line: 1 },
    { title: "B %s", line: 2 },
    { title: "C", line: 3 },
  ]);
});

describe("a citation that does not resolve", () => {
  test.each([
    ["a row of a list", "/** Never twice (S4.5). */"],
    ["a requirement", "// Asked again (step-up, C.12)."],
    ["a section of a page", " * In the order of LOOK §8."],
    ["a section of nothing", "/* colours (§4) */"],
    ["a page", '  /** As in CONTRACT, "Errors". */'],
    ["a study", "const a = 1; // case 10 of the engine study"],
    ["a number that is no crash point", "/** Fenced (C19). */"],
    ["such a number at the beginning", " * C21: the very instant."],
    ["an issue", "// see issue 11"],
    ["a rule that does not exist", " * (KEY-9)"],
    ["a rule, outside of tests and documents", "/** KEY-1 says so. */"],
    ["a file that is gone", "// docs/GONE.md has the table"],
  ])("is %s", (_what, line) => {
    expect(messages("engine/a.ts", `const before = 1;\n${line}`)).not.toEqual([]);
  });

  test("is found in SQL, in documents and in styles as well", () => {
    expect(messages("db/a.sql", "select 1; -- the claim (S1.2)")).toHaveLength(1);
    expect(messages("docs/A.md", "As LOOK has it, and KEY-7.")).toHaveLength(2);
    expect(messages("app/a.css", "/* as DESIGN has it */")).toHaveLength(1);
  });

  test("is found in the title of a test", () => {
    expect(messages("a.test.ts", 'it("S4.5 pays once", f);')).toHaveLength(1);
    expect(messages("a.test.ts", 'it("KEY-9 pays once", f);')).toHaveLength(1);
    expect(messages("a.test.ts", 'it("MONEY-1 pays once", f);')).toHaveLength(1);
    expect(messages("a.test.ts", 'it("C19 pays once", f);')).toHaveLength(1);
  });
});

test("what resolves is fine: rules in tests, crash points, public standards, files that are there, and code", () => {
  expect(messages("a.test.ts", 'it("KEY-1 KEY-2 pays once", f);')).toEqual([]);
  expect(
    messages("a.ts", "// Killed here (C4), as RFC 8785 §3.1 has it; docs/SPEC.md; SHA-256; docs/decisions/*.md"),
  ).toEqual([]);
  expect(messages("a.ts", 'const LOOK = "LOOK §9";\nconst url = "https://x/S4.5";')).toEqual([]);
  expect(messages("docs/A.md", "KEY-1 holds.\n```\nLOOK §9\n```")).toEqual([]);
});
