import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { developmentRoutes, isBuildCurrent, markBuilt, sourceHash } from "./build-state.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "build-state-"));
  mkdirSync(join(root, "app"));
  mkdirSync(join(root, ".next"));
  writeFileSync(join(root, "app", "page.tsx"), "one");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const build = () => {
  writeFileSync(join(root, ".next", "BUILD_ID"), "id");
  markBuilt(sourceHash(root), root);
};

test("without a build nothing is current", () => {
  expect(isBuildCurrent(root)).toBe(false);
});

test("a build is current until a source changes or appears", () => {
  build();
  expect(isBuildCurrent(root)).toBe(true);
  writeFileSync(join(root, "app", "page.tsx"), "two");
  expect(isBuildCurrent(root)).toBe(false);
  build();
  writeFileSync(join(root, "app", "layout.tsx"), "new");
  expect(isBuildCurrent(root)).toBe(false);
});

test("a test file does not make a build stale", () => {
  build();
  writeFileSync(join(root, "app", "page.test.tsx"), "test");
  expect(isBuildCurrent(root)).toBe(true);
});

test("a build is current for the base path that it was made for", () => {
  build();
  vi.stubEnv("BASE_PATH", "/onceboard");
  expect(isBuildCurrent(root)).toBe(false);
  build();
  expect(isBuildCurrent(root)).toBe(true);
  vi.unstubAllEnvs();
  expect(isBuildCurrent(root)).toBe(false);
});

test("a build that did not finish is not current", () => {
  build();
  rmSync(join(root, ".next", "BUILD_ID"));
  expect(isBuildCurrent(root)).toBe(false);
});

test("a page of the development server that was built all the same is named", () => {
  const manifest = (routes) =>
    writeFileSync(join(root, ".next", "app-path-routes-manifest.json"), JSON.stringify(routes));
  mkdirSync(join(root, "app", "%5Fparts"));
  writeFileSync(join(root, "app", "%5Fparts", "page.dev.tsx"), "parts");
  manifest({ "/page": "/" });
  expect(developmentRoutes(root)).toEqual([]);
  manifest({ "/page": "/", "/%5Fparts/page.dev": "/_parts" });
  expect(developmentRoutes(root)).toEqual(["/_parts"]);
});
