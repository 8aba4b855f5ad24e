import { expect, test } from "vitest";
import { versionProblems } from "./version.mjs";

const CHANGELOG = "# Changelog\n\n## Unreleased\n\n- more\n\n## 1.2.0 - 2026-01-02\n\n- first\n";
const agreed = { version: "1.2.0", lockVersion: "1.2.0", changelog: CHANGELOG, tags: [""] };
const released = { ...agreed, changelog: CHANGELOG.replace("## Unreleased\n\n- more\n\n", "") };

test.each([
  ["nothing released since", agreed],
  ["a tagged release", { ...released, tags: ["v1.2.0", "nightly"] }],
])("%s agrees", (_name, stated) => {
  expect(versionProblems(stated)).toEqual([]);
});

test.each([
  [
    "another version in package.json",
    { ...agreed, version: "1.3.0", lockVersion: "1.3.0" },
    /CHANGELOG\.md is 1\.2\.0/,
  ],
  [
    "another version in the lockfile",
    { ...agreed, lockVersion: "1.1.0" },
    /package-lock\.json has the version 1\.1\.0/,
  ],
  ["another tag", { ...released, tags: ["v1.3.0"] }, /tagged v1\.3\.0/],
  ["a tag before its changes have a heading", { ...agreed, tags: ["v1.2.0"] }, /under "Unreleased"/],
  ["no semantic version", { ...agreed, version: "1.2", lockVersion: "1.2" }, /no semantic version/],
  ["no version at all", { ...agreed, changelog: "# Changelog\n" }, /CHANGELOG\.md is undefined/],
])("%s does not", (_name, stated, problem) => {
  expect(versionProblems(stated).join("\n")).toMatch(problem);
});
