import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { missingOptional, platformOf } from "./lib/lockfile.mjs";

const text = readFileSync("package-lock.json", "utf8");
const { packages } = JSON.parse(text);

/** The first version of each package without an advisory that is known to matter to a server of this kind. */
const MINIMUM = {
  next: "16.2.6", // CVE-2026-44574/44575/44578, cache poisoning
  react: "19.2.6", // CVE-2025-55182, CVE-2026-23870
  "react-dom": "19.2.6",
  "drizzle-orm": "0.45.4",
  "better-auth": "1.4.17", // CVE-2025-61928, CVE-2026-45364
  hono: "4.11.7",
  "@hono/node-server": "1.19.10",
  pg: "8.16.0",
};

/** @returns negative, zero or positive, like a comparator; a pre-release counts as the release before it */
function compareVersions(left, right) {
  const parts = (version) => version.split("-")[0].split(".").map(Number);
  const [a, b] = [parts(left), parts(right)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function installedVersions(name) {
  return Object.entries(packages)
    .filter(([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))
    .map(([, entry]) => entry.version);
}

test.each(Object.entries(MINIMUM))("%s is at least %s, wherever it is installed", (name, minimum) => {
  const versions = installedVersions(name);
  expect(versions.length).toBeGreaterThan(0);
  for (const version of versions) expect(compareVersions(version, minimum), version).toBeGreaterThanOrEqual(0);
});

test("versions are compared by number, not by letter", () => {
  expect(compareVersions("16.10.0", "16.2.6")).toBeGreaterThan(0);
  expect(compareVersions("0.45.3", "0.45.4")).toBeLessThan(0);
});

test("the lockfile names no registry host and no path of a machine", () => {
  expect(text).not.toMatch(/"resolved":/);
  expect(text).not.toMatch(/https?:\/\/[^"]*registry/i);
  expect(text).not.toMatch(/"(file:)?\/(home|root|work|Users|tmp)\//);
});

test("every optional package of another platform is listed, or `npm ci` refuses: run scripts/complete-lockfile.mjs", () => {
  expect(missingOptional(packages)).toEqual([]);
});

test("what is missing is seen, wherever npm would put it", () => {
  const wanting = { optionalDependencies: { "@x/bin-darwin-arm64": "1.0.0" } };
  expect(missingOptional({ "node_modules/x": wanting })).toEqual([
    { path: "node_modules/@x/bin-darwin-arm64", name: "@x/bin-darwin-arm64", version: "1.0.0" },
  ]);
  expect(missingOptional({ "node_modules/x": wanting, "node_modules/@x/bin-darwin-arm64": {} })).toEqual([]);
  const inside = { "node_modules/y/node_modules/x": wanting, "node_modules/y/node_modules/@x/bin-darwin-arm64": {} };
  expect(missingOptional(inside)).toEqual([]);
  expect(platformOf("@x/bin-win32-ia32-msvc")).toEqual({ os: ["win32"], cpu: ["ia32"] });
  expect(() => platformOf("@x/bin-wasm")).toThrow("does not say its platform");
});

test("every package of this platform has an integrity hash, so an install gets the same bytes wherever it comes from", () => {
  const without = Object.entries(packages).filter(
    ([path, entry]) => path && !entry.link && !entry.inBundle && !entry.integrity && !otherPlatform(entry),
  );
  expect(without.map(([path]) => path)).toEqual([]);
});

/** Packages of common servers must be complete; a laptop of another kind looks its own up by version. */
function otherPlatform({ optional, os = [], cpu = [] }) {
  return optional === true && !(os.includes("linux") && (cpu.includes("x64") || cpu.includes("arm64")));
}
