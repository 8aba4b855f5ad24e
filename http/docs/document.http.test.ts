import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Hono } from "hono";
import { afterAll, expect, it } from "vitest";
import { parseConfig } from "@/domain/config";
import source from "@/onceboard.config";
import { createHttpApp } from "../app";
import { createContainer } from "../container";
import type { ApiEnv } from "../env";
import { declaredRoutes } from "./operation";

const config = parseConfig({
  DATABASE_URL: "postgres://localhost/none",
  SECRET: "0".repeat(43),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
});
const deps = await createContainer(config, "test", source);
afterAll(() => deps.close());

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/openapi.json"), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};

it("is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

it("has every route of the app, the admin API included, and no other", () => {
  const routes = declaredRoutes(createHttpApp(deps)).map(({ method, about }) => `${method} ${about.id}`);
  const documented = Object.values(document.paths).flatMap((operations) =>
    Object.entries(operations).map(([method, { operationId }]) => `${method} ${operationId}`),
  );
  expect(documented.toSorted()).toEqual(routes.toSorted());
  expect(routes).toEqual(expect.arrayContaining(["get listOperations", "post resolveOperation", "post createPayment"]));
});

it("fails for a route that nobody declared", () => {
  const app = new Hono<ApiEnv>().get("/api/v1/forgotten", (c) => c.text(""));
  expect(() => declaredRoutes(app)).toThrow("GET /api/v1/forgotten has no declaration");
});
