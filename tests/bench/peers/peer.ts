/** Somebody whose route is measured beside ours. */
export interface Peer {
  /** As `--hosts` and `--peer-source` name it. */
  readonly name: string;
  /** As the report names it, with its version. */
  readonly label: string;
  /** From the registry, in these versions. */
  readonly packages: readonly string[];
  /** Folders of its source that are copied beside the packages, by where they go: what the registry does not have. */
  readonly sources?: Readonly<Record<string, string>>;
  /** What it leaves out or does otherwise, read in its code or seen in these runs. */
  readonly leavesOut: string;
}

/** As the report names ours. */
export const OURS = "onceboard";

const SEPARATE = "Key, effect and answer are three commits.";
const STUCK =
  "A process that dies in between leaves the key in progress: retries are 409 until it expires, here after 24 hours.";

/** True of every one of them. */
export const ALL_LEAVE_OUT =
  "Answers are kept as they are, where ours are sealed. Who was answered by a replay or a conflict is recorded nowhere, where ours commits the evidence of each conflict before it answers, and writes each replay afterwards.";

/** In the order of the report. The plain route is no peer, it is the floor. */
export const PEERS: readonly Peer[] = [
  { name: OURS, label: "Onceboard (Hono host)", packages: [], leavesOut: "" },
  {
    name: "plain",
    label: "plain route, no key",
    packages: [],
    leavesOut: "Everything: each request is a new one.",
  },
  {
    name: "idempot",
    label: "@idempot/postgres-store 1.1.0, hono-middleware 1.3.0",
    packages: ["opossum@9.0.0", "jsonpath-plus@10.4.0", "xxhash-wasm@1.1.0"],
    sources: {
      "node_modules/@idempot/core": "packages/core",
      "node_modules/@idempot/postgres-store": "packages/stores/postgres",
      "node_modules/@idempot/hono-middleware": "packages/frameworks/hono",
    },
    leavesOut: `${SEPARATE} ${STUCK} The key is everybody's: no caller is part of it. Two keys with the same body are a conflict. It asks for key and body by two statements side by side: a request that sees the new row by its body alone runs without a claim. A call of its store that takes 500 ms counts as failed, and enough of them are 503 for everybody; here it may take 10 s.`,
  },
  {
    name: "hono-idempotency",
    label: "hono-idempotency 0.9.1",
    packages: ["hono@4.13.19"],
    sources: { "src/hono-idempotency": "src" },
    leavesOut: `${SEPARATE} ${STUCK} It has no store for PostgreSQL; this one is a row a key.`,
  },
  {
    name: "node-idempotency",
    label: "@node-idempotency/core 1.0.11",
    packages: ["@node-idempotency/core@1.0.11"],
    leavesOut: `${SEPARATE} ${STUCK} Its own adapter for PostgreSQL, whose table is unlogged unless told otherwise, is not in every registry; this store is a row a key in a logged table.`,
  },
  {
    name: "express-idempotency",
    label: "express-idempotency 1.0.6",
    packages: ["express-idempotency@1.0.6", "express@5.3.0"],
    leavesOut: `${SEPARATE} ${STUCK} The answer goes out before it is kept, and nobody waits for the keeping. The caller's headers are kept as they are, the Authorization header among them. The key is everybody's. The store is a row a key, and has no way to say that a key is taken: who loses that race gets a 500.`,
  },
  {
    name: "dbos",
    label: "DBOS 5.3.0, a step",
    packages: ["@dbos-inc/dbos-sdk@5.3.0"],
    leavesOut:
      "Effect and end of the step are two commits: a process that dies between them makes the effect twice. Another command under the same id is answered with the first one's result. The id is everybody's.",
  },
  {
    name: "dbos-datasource",
    label: "DBOS 5.3.0, a data source",
    packages: ["@dbos-inc/dbos-sdk@5.3.0"],
    leavesOut:
      "Effect and end of the step are one commit; begin and end of the workflow are others. Another command under the same id is answered with the first one's result. The id is everybody's. The data source is a row a step.",
  },
];
