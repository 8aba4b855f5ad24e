import type { Context } from "hono";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { ApiEnv, Container } from "../env";

/** What a caller can mend in its own code: it came to the door with a good API key and was turned away. A closed list. */
const COUNTED: ReadonlySet<string> = new Set([
  "idempotency.key_missing",
  "idempotency.key_invalid",
  "auth.forbidden",
  "rate_limit.exceeded",
]);
const COUNTED_PREFIX = "validation.";
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const ADMIN = "/api/v1/admin/";

/** Counts a refused request of a known client that left no operation; reads and the console's own calls are left out. */
export function countRefusal<Env extends ApiEnv>(c: Context<Env>, code: string): void {
  if (!COUNTED.has(code) && !code.startsWith(COUNTED_PREFIX)) return;
  const client: ApiClient | undefined = c.get("client");
  if (client === undefined || READS.has(c.req.method) || c.req.path.startsWith(ADMIN)) return;
  (c.get("deps") as Container).engine.refusals.add({ tenantId: client.tenantId, client: client.name, code });
}
