import { expect, it } from "vitest";
import { importsOf, plainModules } from "./testing/plain-modules";

it("CLIENT-7 the library is one import of its own files: nothing of Node, of this repository or of a package", () => {
  const modules = plainModules();
  const imported = importsOf("index.js", modules);
  expect(imported.size).toBeGreaterThan(5);
  expect([...imported].filter((name) => !modules.has(name))).toEqual([]);
  expect(imported.has("node-file-store.js")).toBe(false);
});

it("the store of files is an entry of its own, and the only one that needs Node", () => {
  const modules = plainModules();
  const outside = [...importsOf("node-file-store.js", modules)].filter((name) => !modules.has(name));
  expect(outside.every((name) => name.startsWith("node:"))).toBe(true);
  expect(outside.length).toBeGreaterThan(0);
});
