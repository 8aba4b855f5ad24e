import { expect, it } from "vitest";
import { importsOf, plainModules } from "./testing/plain-modules";

it("CLIENT-7 the library is one import of its own files: nothing of Node, of this repository or of a package", () => {
  const modules = plainModules();
  const imported = importsOf("index.js", modules);
  expect(imported.size).toBeGreaterThan(5);
  expect([...imported].filter((name) => !modules.has(name))).toEqual([]);
});

it.each(["node-file-store.js", "node-pg-store.js"])(
  "%s is an entry of its own, which needs Node and no package",
  (entry) => {
    const modules = plainModules();
    expect(importsOf("index.js", modules).has(entry)).toBe(false);
    const outside = [...importsOf(entry, modules)].filter((name) => !modules.has(name));
    expect(outside.every((name) => name.startsWith("node:"))).toBe(true);
    expect(outside.length).toBeGreaterThan(0);
  },
);
