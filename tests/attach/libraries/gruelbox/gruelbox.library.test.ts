import { javaProgram } from "../languages";
import { testLibrary } from "../test-library";

testLibrary({
  ...javaProgram(import.meta.dirname),
  library: "Gruelbox transaction outbox 4.2",
  preset: "gruelbox",
  made: [...["sent", "dead", "retrying", "in_progress", "waiting"].map((state) => `outgoing ${state}`), "dead dead"],
  // The program is run on this machine, and writes its local time.
  constants: { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  bad: "update txno_outbox set invocation = repeat('x', 1000000), nextattempttime = 'infinity', lastattempttime = '-infinity', attempts = -1",
  update: "update txno_outbox set blocked = false",
  discard: { of: "outgoing dead", was: "dead", runs: 0 },
  requeue: { of: "outgoing dead", was: "dead", isNow: "waiting", then: "gone" },
});
