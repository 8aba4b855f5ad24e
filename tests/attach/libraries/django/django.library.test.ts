import { pythonProgram } from "../languages";
import { testLibrary } from "../test-library";

testLibrary({
  ...pythonProgram(import.meta.dirname),
  library: "django-outbox-pattern 3.2",
  preset: "django-outbox-pattern",
  made: ["outgoing sent", "outgoing dead", "outgoing waiting", "outgoing expired", "dead dead", "incoming done"],
  constants: { max_attempts: "2" },
  bad: "update published set added = 'infinity', expires_at = '-infinity', retry = 0, headers = 'null' where status = 2",
  update: "update published set status = 1",
  requeue: { of: "outgoing dead", was: "dead", isNow: "waiting", then: "sent" },
});
