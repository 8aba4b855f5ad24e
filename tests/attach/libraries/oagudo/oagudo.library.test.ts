import { goProgram } from "../languages";
import { testLibrary } from "../test-library";

const program = goProgram(import.meta.dirname, {
  module: "github.com/oagudo/outbox",
  version: "v1.0.1",
  variable: "OAGUDO_OUTBOX_SOURCE",
});

testLibrary({
  ...program,
  library: "oagudo/outbox 1.0, from its source",
  preset: "oagudo-outbox",
  made: ["outgoing retrying", "outgoing scheduled", "outgoing waiting"],
  bad: `update outbox set created_at = '-infinity', scheduled_at = 'infinity', metadata = decode('00ff', 'hex'), payload = decode('', 'hex'), times_attempted = -1`,
  update: "update outbox set times_attempted = 0",
  requeue: { of: "outgoing retrying", was: "retrying", isNow: "waiting", then: "gone" },
});
