import { nodeProgram } from "../languages";
import { testLibrary } from "../test-library";

const MODULE = "@idempot/postgres-store/index.js";
const registry = nodeProgram(import.meta.dirname, {
  packages: { "@idempot/postgres-store": "1.1.0", "@idempot/core": "1.3.0" },
  module: MODULE,
});
const source = nodeProgram(import.meta.dirname, {
  variable: "IDEMPOT_SOURCE",
  folders: { "@idempot/core": "packages/core", "@idempot/postgres-store": "packages/stores/postgres" },
  module: MODULE,
});
const idempot = {
  preset: "idempot-js",
  made: ["keys done", "keys in_progress", "keys expired"],
  constants: { stale_after: "15 minutes" },
  bad: "update idempotency_records set response_headers = '{', response_status = -1, expires_at = 9223372036854775807, response_body = repeat('x', 1000000)",
  update: "update idempotency_records set status = 'complete'",
  // Forgotten, the key is executed by the next retry.
  discard: { of: "keys done", was: "done", runs: 1 },
} as const;

testLibrary({ ...registry, ...idempot, library: "@idempot/postgres-store 1.1", leftOut: registry.notServed() });
testLibrary({ ...source, ...idempot, library: "@idempot/postgres-store, from its source" });
