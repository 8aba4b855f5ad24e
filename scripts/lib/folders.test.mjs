import { expect, it } from "vitest";
import { crowdedFolders, MAX_FILES, smallFiles } from "./folders.mjs";

it("names a folder that shows too many files", () => {
  const paths = (count) => Array.from({ length: count }, (_, index) => `a/b/${String(index)}.ts`);
  expect(crowdedFolders(paths(MAX_FILES))).toEqual([]);
  expect(crowdedFolders(paths(MAX_FILES + 1))).toEqual([{ folder: "a/b", files: MAX_FILES + 1 }]);
});

it("names small files with one importer, tests not counted", () => {
  const file = (path, lines, importers) => ({ path, lines, importers });
  expect(
    smallFiles([
      file("a/small.ts", 24, ["a/caller.ts", "a/small.test.ts"]),
      file("a/shared.ts", 24, ["a/caller.ts", "b/caller.ts"]),
      file("a/large.ts", 25, ["a/caller.ts"]),
      file("a/testing/helper.ts", 5, ["a/caller.ts"]),
    ]),
  ).toEqual(["a/small.ts"]);
});
