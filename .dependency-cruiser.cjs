/**
 * The layer rule of the house, see docs/ARCHITECTURE.md. One direction, nothing imports upward or sideways:
 *
 *   domain ← db ← engine ← auth ← payments ← http ← app
 *   domain ← components ← app          client ← (callers, bin, e2e)
 *   worker imports payments, engine, db, domain;  bin imports anything and nobody imports bin
 */
const FOLDERS = "^(app|auth|bench|bin|client|components|crash|db|domain|e2e|engine|http|payments|scripts|worker)/";
const TEST_FILES = "\\.(test|spec)\\.tsx?$";

/** A folder may import only `allowed`; a test in it may also start what it tests against. */
const layer = (name, allowed) => ({
  name: `layer-${name}`,
  severity: "error",
  from: { path: `^${name}/`, pathNot: TEST_FILES },
  to: { path: FOLDERS, pathNot: `^(${[name, ...allowed].join("|")})/` },
});

const testLayer = (name, allowed) => ({
  name: `layer-${name}-tests`,
  severity: "error",
  from: { path: `^${name}/.*${TEST_FILES}` },
  to: {
    path: FOLDERS,
    pathNot: [
      `^(${[name, ...allowed].join("|")})/`,
      "^db/(testing|client)",
      "^payments/(stripe-)?sandbox/",
      "^client/",
      "^bin/",
    ],
  },
});

const CHAIN = {
  domain: [],
  db: ["domain"],
  engine: ["db", "domain"],
  auth: ["engine", "db", "domain"],
  payments: ["auth", "engine", "db", "domain"],
  http: ["payments", "auth", "engine", "db", "domain"],
  app: ["http", "payments", "auth", "engine", "db", "domain", "components"],
  worker: ["payments", "engine", "db", "domain"],
  components: ["domain"],
  client: ["domain"],
};

const PACKAGE = (names) => `(^|node_modules/)(@types/)?(${names})(/|$)`;

module.exports = {
  forbidden: [
    ...Object.entries(CHAIN).map(([name, allowed]) => layer(name, allowed)),
    ...Object.entries(CHAIN).map(([name, allowed]) => testLayer(name, allowed)),
    {
      name: "sandbox-stands-alone",
      comment:
        "A pretend provider is another company's program: it shares nothing of ours but domain/ and the server of a pretend provider.",
      severity: "error",
      from: { path: "^payments/((?:stripe-)?sandbox)/", pathNot: TEST_FILES },
      to: { path: FOLDERS, pathNot: "^(payments/$1/|payments/pretend-server\\.ts$|domain/)" },
    },
    {
      name: "sandbox-is-reached-by-http",
      comment: "Nobody imports the sandbox; it is a process of its own. Tests and bin may start it.",
      severity: "error",
      from: {
        pathNot: ["^payments/(stripe-)?sandbox/", "^bin/", "^bench/", "^crash/", "^e2e/", TEST_FILES, "/testing/"],
      },
      to: { path: "^payments/(stripe-)?sandbox/" },
    },
    {
      name: "bin-is-an-end",
      severity: "error",
      from: { pathNot: ["^bin/", "^bench/", "^e2e/", TEST_FILES] },
      to: { path: "^bin/" },
    },
    {
      name: "sql-only-in-db",
      severity: "error",
      from: { pathNot: ["^db/", "^drizzle\\.config\\.ts$", "^bench/", TEST_FILES] },
      to: { path: PACKAGE("drizzle-orm|pg"), dependencyTypesNot: ["npm-no-pkg"] },
    },
    {
      name: "browser-never-reaches-sql",
      comment: "By any chain: a view that reaches db/ puts column names into a browser chunk.",
      severity: "error",
      from: { path: "^(components|client)/", pathNot: TEST_FILES },
      to: { path: "^db/", reachable: true },
    },
    {
      name: "browser-safe",
      severity: "error",
      from: { path: "^(domain|components|client)/", pathNot: [TEST_FILES, "^client/(node-|testing/)"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "framework-only-on-top",
      severity: "error",
      from: { path: "^(domain|db|engine|auth|payments|http|worker|client)/", pathNot: TEST_FILES },
      to: { path: PACKAGE("next|react|react-dom") },
    },
    {
      name: "server-only-stays-in-app",
      comment: "The package throws under plain Node, so a worker could not load such a file.",
      severity: "error",
      from: { pathNot: "^app/" },
      to: { path: PACKAGE("server-only") },
    },
    {
      name: "spans-in-one-file",
      comment: "What stands in a span is decided in one place, and costs nothing while nobody exports.",
      severity: "error",
      from: { pathNot: ["^engine/telemetry\\.ts$", "^bin/startup/tracing\\.ts$", TEST_FILES] },
      to: { path: "(^|node_modules/)@opentelemetry/" },
    },
    {
      name: "no-circular",
      severity: "error",
      from: { pathNot: "node_modules" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|\\.onceboard|coverage|next-env\\.d\\.ts)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
