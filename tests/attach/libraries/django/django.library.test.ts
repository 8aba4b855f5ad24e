import { existsSync } from "node:fs";
import { join } from "node:path";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "../programs";
import { testLibrary } from "../test-library";

const ENVIRONMENT = join(PROGRAMS, "django");
const PYTHON = join(ENVIRONMENT, "bin/python");

testLibrary({
  library: "django-outbox-pattern 3.2",
  preset: "django-outbox-pattern",
  needs: ["python3"],
  build() {
    if (!existsSync(PYTHON)) runProgram("python3", ["-m", "venv", ENVIRONMENT]);
    runProgram(PYTHON, ["-m", "pip", "install", "-q", "-r", "requirements.txt"], {
      cwd: import.meta.dirname,
      limitMs: BUILD_LIMIT_MS,
    });
  },
  run: (command, env) =>
    runProgram(PYTHON, ["program.py", command], {
      cwd: import.meta.dirname,
      env: { ...env, PYTHONDONTWRITEBYTECODE: "1" },
    }),
  made: ["outgoing sent", "outgoing dead", "outgoing waiting", "outgoing expired", "dead dead", "incoming done"],
  constants: { max_attempts: "2" },
  update: "update published set status = 1",
  requeue: { of: "outgoing dead", was: "dead", isNow: "waiting", then: "sent" },
});
