import { join } from "node:path";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "../programs";
import { testLibrary } from "../test-library";

const PROGRAM = join(PROGRAMS, "river");

testLibrary({
  library: "River 0.51",
  preset: "river",
  needs: ["go"],
  build: () =>
    void runProgram("go", ["build", "-o", PROGRAM, "."], { cwd: import.meta.dirname, limitMs: BUILD_LIMIT_MS }),
  run: (command, env) => runProgram(PROGRAM, [command], { env }),
  made: [
    ...["sent", "dead", "retrying", "waiting", "scheduled", "cancelled", "in_progress"].map(
      (state) => `outgoing ${state}`,
    ),
    "dead dead",
  ],
  update: "update river_job set state = 'available'",
  requeue: { of: "outgoing dead", was: "dead", isNow: "waiting", then: "sent" },
});
