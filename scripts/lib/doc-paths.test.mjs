import { expect, test } from "vitest";
import { pathsInComment, pathsNamedIn } from "./doc-paths.mjs";

const paths = (markdown) => pathsNamedIn(markdown).map(({ path }) => path);

test("code spans that begin with a folder of ours are paths, others are not", () => {
  expect(paths("see `engine/execute/execute.ts`, `npm test`, `payments.charge` and `http/`")).toEqual([
    "engine/execute/execute.ts",
    "http/",
  ]);
});

test("a line number after a path is dropped, a pattern is not a path", () => {
  expect(paths("`db/migrate.ts:12` and `db/*.sql` and `docs/decisions/NNNN-x.md`")).toEqual(["db/migrate.ts"]);
});

test("relative links are paths seen from the document, web links are not", () => {
  expect(pathsNamedIn("[a](GLOSSARY.md#claim) [b](https://example.org) [c](#top)")).toEqual([
    { path: "GLOSSARY.md", line: 1, relative: true },
  ]);
});

test("fenced blocks are pictures or commands, not claims about files", () => {
  expect(paths("```text\n`domain/nothing.ts`\n```\n`domain/x.ts`")).toEqual(["domain/x.ts"]);
});

test("in a comment a path is a file of ours, with its ending", () => {
  const comment = "docs/SPEC.md and engine/execute/execute.ts decide; not db/*.sql, @/http/app.ts, http/ or and/or.ts";
  expect(pathsInComment(comment)).toEqual(["docs/SPEC.md", "engine/execute/execute.ts"]);
});
