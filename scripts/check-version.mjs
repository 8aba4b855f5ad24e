/**
 * The version of package.json is the newest one of CHANGELOG.md, and that of the tag, where HEAD has one (`v1.2.3`): then nothing is
 * left unreleased.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { versionProblems } from "./lib/version.mjs";

const { stdout } = spawnSync("git", ["tag", "--points-at", "HEAD"], { encoding: "utf8" });
const problems = versionProblems({
  version: JSON.parse(readFileSync("package.json", "utf8")).version,
  lockVersion: JSON.parse(readFileSync("package-lock.json", "utf8")).version,
  changelog: readFileSync("CHANGELOG.md", "utf8"),
  // Not a clone of git's, such as an unpacked archive: nothing is tagged.
  tags: (stdout ?? "").split("\n"),
});
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
