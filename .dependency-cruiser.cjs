/**
 * The layer rules, see docs/ARCHITECTURE.md. Imports follow the arrows to the left and never go back:
 *
 *   domain ← db ← engine ← console ← http ← app          engine ← auth ← console, http
 *   domain ← presentation ← components ← app             presentation ← console
 *   domain, db ← attach ← console                         attach speaks to tables of other libraries, and to nothing of ours
 *   engine/index.ts ← payments ← onceboard.config.ts ← app/_server/container.ts; whoever starts a process names it by its path
 *   engine, http ← integrations (in a process that is not ours; nobody imports it)
 *   worker, cli, demo and tests run what is above; nobody imports them.
 */
const FOLDERS =
  "^(app|attach|auth|cli|client|components|console|db|demo|domain|e2e|engine|http|integrations|payments|presentation|scripts|tests|worker)/";
/** What runs only in tests. */
const TEST_FILES = "(\\.(test|spec)\\.tsx?$|\\btesting/)";

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
      "^(console|presentation)/",
      "^client/",
      "^(cli|demo|tests)/",
    ],
  },
});

const CHAIN = {
  domain: [],
  presentation: ["domain"],
  db: ["domain"],
  attach: ["db", "domain"],
  engine: ["db", "domain"],
  auth: ["engine", "db", "domain"],
  console: ["auth", "attach", "engine", "db", "presentation", "domain"],
  http: ["console", "auth", "engine", "db", "presentation", "domain"],
  integrations: ["http", "engine", "db", "domain"],
  app: ["http", "console", "auth", "engine", "db", "components", "presentation", "domain"],
  worker: ["console", "auth", "engine", "db", "domain"],
  components: ["presentation", "domain"],
  client: ["domain"],
};

const PACKAGE = (names) => `(^|node_modules/)(@types/)?(${names})(/|$)`;

module.exports = {
  forbidden: [
    ...Object.entries(CHAIN).map(([name, allowed]) => layer(name, allowed)),
    ...Object.entries(CHAIN).map(([name, allowed]) => testLayer(name, allowed)),
    {
      name: "modules-use-the-contract",
      comment: "The example business is a module like anybody's: what it needs of us stands in engine/index.ts.",
      severity: "error",
      from: { path: "^payments/", pathNot: [TEST_FILES, "^payments/((stripe-)?sandbox/|pretend-server\\.ts$)"] },
      to: { path: FOLDERS, pathNot: "^(payments/|engine/index\\.ts$)" },
    },
    {
      name: "modules-are-tested-from-below",
      comment: "A test of a module may start what it runs on, and knows no page.",
      severity: "error",
      from: { path: `^payments/.*${TEST_FILES}` },
      to: { path: FOLDERS, pathNot: "^(payments|engine|db|domain|tests/support)/" },
    },
    {
      name: "modules-are-named-by-the-configuration",
      comment: "Tests of other folders take what they need of the example business from tests/support.",
      severity: "error",
      from: { pathNot: ["^payments/", "^(demo|tests)/", "^onceboard\\.config\\.ts$"] },
      to: { path: "^payments/" },
    },
    {
      name: "configuration-is-named-by-starters",
      comment: "A process takes its modules from what starts it.",
      severity: "error",
      from: { pathNot: ["^app/_server/container\\.ts$", "^(scripts|tests)/", TEST_FILES] },
      to: { path: "^onceboard\\.config\\.ts$" },
    },
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
      comment: "Nobody imports the sandbox; it is a process of its own. Tests and demo may start it.",
      severity: "error",
      from: {
        pathNot: ["^payments/(stripe-)?sandbox/", "^(demo|tests)/", TEST_FILES],
      },
      to: { path: "^payments/(stripe-)?sandbox/" },
    },
    {
      name: "entries-are-ends",
      comment: "Nobody imports the processes, the demo or the suites.",
      severity: "error",
      from: { pathNot: ["^(cli|demo|scripts|tests|e2e)/", TEST_FILES] },
      to: { path: "^(cli|demo|tests|e2e)/" },
    },
    {
      name: "presentation-is-for-people",
      comment: "What a page says is out of reach of what moves money, by any chain.",
      severity: "error",
      from: { path: "^(domain|db|attach|engine|auth|payments)/", pathNot: TEST_FILES },
      to: { path: "^presentation/", reachable: true },
    },
    {
      name: "sql-only-in-db",
      severity: "error",
      from: { pathNot: ["^db/", "^attach/", "^drizzle\\.config\\.ts$", "^tests/bench/", TEST_FILES] },
      to: { path: PACKAGE("drizzle-orm|pg"), dependencyTypesNot: ["npm-no-pkg"] },
    },
    {
      name: "browser-never-reaches-sql",
      comment: "By any chain: a view that reaches db/ puts column names into a browser chunk.",
      severity: "error",
      from: { path: "^(components|presentation|client)/", pathNot: TEST_FILES },
      to: { path: "^db/", reachable: true },
    },
    {
      name: "browser-safe",
      severity: "error",
      from: { path: "^(domain|presentation|components|client)/", pathNot: [TEST_FILES, "^client/(node-|testing/)"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "framework-only-on-top",
      severity: "error",
      from: {
        path: "^(domain|presentation|db|engine|console|auth|payments|http|integrations|worker|client)/",
        pathNot: TEST_FILES,
      },
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
      comment:
        "What stands in a span is decided in one place, and costs nothing while nobody exports; two files of a start open the exporters.",
      severity: "error",
      from: {
        pathNot: ["^engine/telemetry/telemetry\\.ts$", "^cli/startup/(tracing|metric-export)\\.ts$", TEST_FILES],
      },
      to: { path: "(^|node_modules/)@opentelemetry/" },
    },
    {
      name: "no-circular",
      comment: "Types included: what two files need of each other belongs to a third.",
      severity: "error",
      from: { pathNot: "node_modules" },
      to: { circular: true },
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
