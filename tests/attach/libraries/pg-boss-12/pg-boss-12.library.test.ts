import { nodeProgram } from "../languages";
import { JOB_STATES, testLibrary } from "../test-library";

/** Asks for Node 22 and runs on 20: what npm says of it is a warning. */
const VERSION = "12.38.0";

testLibrary({
  ...nodeProgram(import.meta.dirname, { packages: { "pg-boss": VERSION }, module: "pg-boss/dist/index.js" }),
  library: `pg-boss ${VERSION}`,
  preset: "pg-boss-11",
  made: JOB_STATES,
  bad: `update pgboss.job set data = '"text"', output = '[1]', created_on = 'infinity', singleton_key = ''`,
  update: "update pgboss.job set state = 'retry'",
  discard: { of: "outgoing dead", was: "dead", runs: 0 },
  requeue: { of: "outgoing dead", was: "dead", isNow: "retrying", then: "sent" },
});
