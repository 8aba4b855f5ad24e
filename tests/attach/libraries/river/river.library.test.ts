import { goProgram } from "../languages";
import { JOB_STATES, testLibrary } from "../test-library";

testLibrary({
  ...goProgram(import.meta.dirname),
  library: "River 0.51",
  preset: "river",
  made: JOB_STATES,
  bad: `update river_job set args = to_jsonb(repeat('x', 1000000)), metadata = '7', errors = array['"text"', '[]']::jsonb[], attempted_by = '{}'`,
  update: "update river_job set state = 'available'",
  discard: { of: "outgoing dead", was: "dead", runs: 0 },
  requeue: { of: "outgoing dead", was: "dead", isNow: "waiting", then: "sent" },
});
