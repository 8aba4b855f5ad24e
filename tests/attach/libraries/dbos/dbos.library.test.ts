import { pythonProgram } from "../languages";
import { testLibrary } from "../test-library";

testLibrary({
  ...pythonProgram(import.meta.dirname),
  library: "DBOS for Python 3.4",
  preset: "dbos",
  made: ["keys done", "keys failed", "keys in_progress", "dead dead"],
  bad: "update dbos.workflow_status set name = repeat('x', 1000000), created_at = -1, updated_at = 9223372036854775807, recovery_attempts = -1",
  update: "update dbos.workflow_status set status = 'ENQUEUED'",
  requeue: { of: "dead dead", was: "dead", isNow: "in_progress", then: "gone" },
});
