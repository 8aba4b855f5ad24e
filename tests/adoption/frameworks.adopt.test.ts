import { rmSync } from "node:fs";
import { afterAll, beforeAll, inject } from "vitest";
import { installProject } from "./install-project";
import { openShop } from "./packaged-shop";
import { shopCases } from "./shop-cases";

/** The same service with each framework and each library of databases, in a second project; Fastify and drizzle: service.adopt.test.ts. */

const FILES = "tests/adoption/services";
const PACKAGES = ["express@5", "hono", "@hono/node-server", "kysely@0.28", "pg", "zod"];
/** Of one version: each names the others. */
const PRISMA = ["prisma", "@prisma/client", "@prisma/adapter-pg"].map((name) => `${name}@7.10.0`);

let project: string;
beforeAll(() => {
  project = installProject(inject("packed"), [...PACKAGES, ...PRISMA]);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

shopCases("Express and Kysely", (atEnd) => openShop({ project, files: `${FILES}/express` }, atEnd));
shopCases("Hono and pg", (atEnd) => openShop({ project, files: `${FILES}/hono` }, atEnd));
shopCases("Hono and Prisma", (atEnd) =>
  openShop(
    {
      project,
      files: `${FILES}/prisma`,
      // The client is generated without the engine of migrations, which Prisma would fetch from a server of its own.
      prepare: ["PRISMA_SCHEMA_ENGINE_BINARY=$(type -P true) CHECKPOINT_DISABLE=1 npx prisma generate"],
    },
    atEnd,
  ),
);
shopCases("a route handler of Next", (atEnd) =>
  openShop(
    {
      project,
      files: `${FILES}/next`,
      prepare: ["NEXT_TELEMETRY_DISABLED=1 npx next build"],
      start: "npx next start --port $SHOP_PORT",
    },
    atEnd,
  ),
);
