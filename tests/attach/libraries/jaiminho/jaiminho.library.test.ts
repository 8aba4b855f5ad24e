import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageMap } from "@/attach/mapped-messages/message-map";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "../programs";
import { testLibrary } from "../test-library";

const ENVIRONMENT = join(PROGRAMS, "jaiminho");
const PYTHON = join(ENVIRONMENT, "bin/python");

testLibrary({
  library: "jaiminho 2.2",
  // No preset knows it: its owner maps it.
  preset: {
    table: "jaiminho_event",
    map: messageMap.parse({
      kind: "outbox",
      id: "id",
      order_key: "stream",
      created_at: "created_at",
      sent_at: "sent_at",
      payload: "message",
    }),
  },
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
  made: ["outgoing sent", "outgoing waiting"],
  update: "update jaiminho_event set sent_at = now()",
});
