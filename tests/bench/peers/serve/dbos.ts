import type { Queryable } from "@/db/client";
import { insertOrder, type OrderCommand, type OrderView } from "../orders/order";
import { transactionsOf, type DataSourceLibrary } from "./dbos-data-source";
import { honoPeer } from "./hono-peer";
import { PEER_CONNECTIONS, peerPool, type Mount, type MountedPeer, type PeerPlace } from "./place";

type Workflow = (command: OrderCommand) => Promise<OrderView>;

interface Dbos {
  readonly workflowID: string | undefined;
  readonly stepID: number | undefined;
  setConfig(config: Readonly<Record<string, unknown>>): void;
  registerWorkflow(workflow: Workflow, options: { readonly name: string }): Workflow;
  runStep<T>(step: () => Promise<T>, options: { readonly name: string }): Promise<T>;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
  startWorkflow(
    workflow: Workflow,
    options: { readonly workflowID: string },
  ): (command: OrderCommand) => Promise<{ getResult(): Promise<OrderView> }>;
}

const SDK = "node_modules/@dbos-inc/dbos-sdk/dist/src";

/** The row is written in a step: the way of the SDK alone. */
export const mountDbosStep: Mount = (place) => {
  const dbos = sdkOf(place);
  return launched(place, dbos, (command) => dbos.runStep(() => insertOrder(place.pool, command), { name: "insert" }));
};

/** The row is written in a transaction of a data source, which keeps the step's end in it. */
export const mountDbosDataSource: Mount = (place) => {
  const dbos = sdkOf(place);
  const library = place.required<DataSourceLibrary>(`${SDK}/datasource.js`);
  const inTransaction = transactionsOf(library, place.pool, () => {
    const { workflowID = "", stepID = 0 } = dbos;
    return { workflowID, stepID };
  });
  return launched(place, dbos, (command) => inTransaction((tx: Queryable) => insertOrder(tx, command)));
};

function sdkOf(place: PeerPlace): Dbos {
  return place.required<{ readonly DBOS: Dbos }>(`${SDK}/index.js`).DBOS;
}

/** A workflow for each key, which is its id. */
async function launched(place: PeerPlace, dbos: Dbos, run: Workflow): Promise<MountedPeer> {
  const workflow = dbos.registerWorkflow(run, { name: "placeOrder" });
  const system = peerPool(place.url);
  dbos.setConfig({
    name: "bench",
    systemDatabaseUrl: place.url,
    systemDatabasePool: system,
    systemDatabasePoolSize: PEER_CONNECTIONS,
    // The next process of this name takes up what this one leaves.
    executorID: "bench",
    applicationVersion: "1",
    logLevel: "error",
    runAdminServer: false,
  });
  await dbos.launch();
  const peer = honoPeer(place, [], async (command, c) => {
    const workflowID = c.req.header("idempotency-key") ?? "";
    const handle = await dbos.startWorkflow(workflow, { workflowID })(command);
    return handle.getResult();
  });
  return {
    ...peer,
    async close() {
      await dbos.shutdown();
      await system.end();
    },
  };
}
