import { operationFactory, type OperationFactory } from "@/db/testing/factories/operation-factory";
import type { CheckedAnswer } from "@/http/testing/contract";
import { openHost, type HostOptions, type TestHost } from "@/http/testing/host";
import { signedIn } from "@/http/testing/signed-in";
import type { Cluster } from "./cluster";

export interface Reads {
  readonly lag?: string;
  readonly trouble: readonly string[];
}

/** A deployment whose pages are read from the standby of a cluster, and somebody who looks at them. */
export interface ReplicaPages {
  readonly host: TestHost;
  readonly make: OperationFactory;
  /** `cookie` header of an admin whose browser is not known to have acted. */
  readonly reader: string;
  /** Calls a read route of the console, as the reader unless another cookie is given. */
  get(path: string, cookie?: string): Promise<CheckedAnswer>;
  /** Ids of the list of operations. */
  ids(cookie?: string): Promise<readonly string[]>;
  /** What the poll of a page says of where it is read. */
  reads(cookie?: string): Promise<Reads>;
}

export async function openReplicaPages(
  cluster: Cluster,
  maxLagSeconds: number,
  options: HostOptions = {},
): Promise<ReplicaPages> {
  const env = { READ_REPLICA_MAX_LAG_SECONDS: String(maxLagSeconds) };
  const host = await openHost("hono", { ...options, server: cluster.url, replicaPort: cluster.standbyPort, env });
  const { db, tenant, deps } = host;
  if (deps === undefined) throw new Error("only in process");
  await host.key(["admin"]);
  const reader = withoutActed(await signedIn(host, "admin"));
  await cluster.caughtUp();
  const get = (path: string, cookie = reader) =>
    host.call({
      path: `/api/v1/admin${path}${path.includes("?") ? "&" : "?"}tenant=${tenant}`,
      headers: [
        ["cookie", cookie],
        ["origin", host.url],
      ],
    });
  return {
    host,
    make: operationFactory({ q: db.pool, tenantId: tenant, seal: (...of) => deps.keyring.seal(...of) }),
    reader,
    get,
    async ids(cookie) {
      const { json } = await get("/operations", cookie);
      return (json as unknown as { rows: { operationId: string }[] }).rows.map(({ operationId }) => operationId);
    },
    async reads(cookie) {
      return ((await get("/pulse?page=operations", cookie)).json as unknown as { reads: Reads }).reads;
    },
  };
}

/** Signing in is an act: this is another browser of the same person. */
function withoutActed(cookie: string): string {
  const parts = cookie.split("; ").filter((part) => !part.startsWith("ob_acted="));
  return parts.join("; ");
}
