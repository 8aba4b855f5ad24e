/** Whether the built console is the one of these sources: a hash of what goes into it, kept beside the build. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sourceFiles } from "./source-files.mjs";

const FOLDERS = [
  "app",
  "attach",
  "auth",
  "client",
  "components",
  "console",
  "db",
  "domain",
  "engine",
  "http",
  "payments",
  "presentation",
  "public",
];
/** Without tsconfig.json: Next writes into that one while it builds. */
const FILES = [
  "onceboard.config.ts",
  "next.config.ts",
  "proxy.ts",
  "instrumentation.ts",
  "package-lock.json",
  "postcss.config.mjs",
];
const NOT_BUILT = /\.(test|spec)\.tsx?$/;

/** @param {string} [root] @returns {string} hex SHA-256 over the base path, and the names and bytes of everything that is built */
export function sourceHash(root = ".") {
  const hash = createHash("sha256").update(process.env.BASE_PATH ?? "");
  const files = [
    ...FOLDERS.map((folder) => join(root, folder)).flatMap((folder) =>
      existsSync(folder) ? sourceFiles(folder, (name) => !NOT_BUILT.test(name)) : [],
    ),
    ...FILES.map((file) => join(root, file)).filter((file) => existsSync(file)),
  ];
  for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Where the build is; next.config.ts reads the same variable. @param {string} root */
const buildDirectory = (root) => join(root, process.env.NEXT_DIST_DIR ?? ".next");
const stamp = (root) => join(buildDirectory(root), "ONCEBOARD_SOURCE");

/** @param {string} [root] */
export function isBuildCurrent(root = ".") {
  if (!existsSync(join(buildDirectory(root), "BUILD_ID")) || !existsSync(stamp(root))) return false;
  return readFileSync(stamp(root), "utf8") === sourceHash(root);
}

/** @param {string} hash the hash taken before the build began @param {string} [root] */
export function markBuilt(hash, root = ".") {
  writeFileSync(stamp(root), hash);
}

/**
 * Pages of the development server alone (`page.dev.tsx`) that the build has all the same.
 * @param {string} [root] @returns {string[]} their addresses; none is right
 */
export function developmentRoutes(root = ".") {
  const app = join(root, "app");
  const routes = sourceFiles(app, (name) => name.endsWith("page.dev.tsx")).map(
    (file) => `/${decodeURIComponent(relative(app, dirname(file)))}`,
  );
  const manifest = JSON.parse(readFileSync(join(buildDirectory(root), "app-path-routes-manifest.json"), "utf8"));
  const built = new Set(Object.values(manifest));
  return routes.filter((route) => built.has(route));
}
