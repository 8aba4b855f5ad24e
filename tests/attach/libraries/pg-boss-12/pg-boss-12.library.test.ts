import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "../programs";
import { testLibrary } from "../test-library";

/** Asks for Node 22 and runs on 20: what npm says of it is a warning. */
const VERSION = "12.38.0";
const FOLDER = join(PROGRAMS, `pg-boss-${VERSION}`);
const MODULE = join(FOLDER, "node_modules/pg-boss/dist/index.js");

testLibrary({
  library: `pg-boss ${VERSION}`,
  preset: "pg-boss-11",
  needs: ["npm"],
  build() {
    if (existsSync(MODULE)) return;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(
      join(FOLDER, "package.json"),
      JSON.stringify({ private: true, dependencies: { "pg-boss": VERSION } }),
    );
    runProgram("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: FOLDER,
      limitMs: BUILD_LIMIT_MS,
    });
  },
  run: (command, env) =>
    runProgram(process.execPath, ["program.mjs", command], {
      cwd: import.meta.dirname,
      env: { ...env, PG_BOSS_MODULE: MODULE },
    }),
  made: [
    ...["sent", "dead", "retrying", "waiting", "scheduled", "cancelled", "in_progress"].map(
      (state) => `outgoing ${state}`,
    ),
    "dead dead",
  ],
  update: "update pgboss.job set state = 'retry'",
  requeue: { of: "outgoing dead", was: "dead", isNow: "retrying", then: "sent" },
});
