import { javaProgram } from "../languages";
import { testLibrary } from "../test-library";

const bad =
  "update event_publication set serialized_event = 'no json', publication_date = 'infinity', listener_id = '' where completion_date is not null";
const update = "update event_publication set completion_date = now()";

testLibrary({
  ...javaProgram(import.meta.dirname, { args: ["v2"] }),
  library: "Spring Modulith 2.0",
  preset: "modulith-v2",
  made: ["outgoing sent", "outgoing dead", "outgoing in_progress", "dead dead"],
  constants: { stale_after: "0 seconds" },
  bad,
  update,
  // One that hangs is marked as failed, and the application resubmits it.
  requeue: { of: "outgoing in_progress", was: "PROCESSING", isNow: "FAILED", then: "sent" },
});

testLibrary({
  ...javaProgram(import.meta.dirname, { profile: "v1", args: ["v1"] }),
  library: "Spring Modulith 1.4",
  preset: "modulith-v1",
  made: ["outgoing sent", "outgoing waiting"],
  bad,
  update,
});
