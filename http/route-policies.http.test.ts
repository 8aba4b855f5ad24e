import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGE_POLICIES } from "@/domain/access/page-policies";
import { ACTIONS, can, type Action } from "@/domain/access/permission";
import { ROLES, type Role } from "@/domain/idempotency/states";
import { createHttpApp } from "./app";
import { declarationOf } from "./declare";
import { openHost, type TestHost } from "./testing/host";
import { requireInProcess } from "./testing/in-process";
import { signedIn } from "./testing/signed-in";

const ADMIN = "/api/v1/admin/";
const root = `${import.meta.dirname}/../app/(console)`;

describe("ACCESS-1 every page and every route has a policy row", () => {
  let host: TestHost;
  const cookies = new Map<Role, string>();

  beforeAll(async () => {
    host = await openHost("mounted", { limits: { admin: { perSecond: 1_000, burst: 10_000 } } });
    await host.key(["admin"]);
    for (const role of ROLES) cookies.set(role, await signedIn(host, role));
  });
  afterAll(() => host.close());

  const routesOf = () => createHttpApp(requireInProcess(host).deps).routes;

  it("has a permission for every admin route, a declared access for every other, and opens few of them to everybody", () => {
    const routes = routesOf();
    const undecided = routes.filter(({ handler }) => {
      const { access, permission } = declarationOf(handler) ?? {};
      return (access === undefined) === (permission === undefined);
    });
    const guards = ["ALL /*", "ALL /api/auth/*", "ALL /api/v1/admin/*"];
    expect([...new Set(undecided.map(({ method, path }) => `${method} ${path}`))].toSorted()).toEqual(guards);
    const admin = routes.filter(({ path }) => path.startsWith(ADMIN) && !path.endsWith("*"));
    expect(admin.length).toBeGreaterThan(90);
    expect(admin.filter(({ handler }) => declarationOf(handler)?.permission === undefined)).toEqual([]);
    const open = routes.flatMap(({ path, handler }) => (declarationOf(handler)?.access === "public" ? [path] : []));
    expect(open.toSorted()).toEqual([
      "/api/health/live",
      "/api/health/ready",
      "/api/health/worker",
      "/api/metrics",
      "/api/v1/docs",
      "/api/v1/openapi.json",
      "/api/v1/proof-keys",
    ]);
  });

  it("lists every page of the console and no other", async () => {
    const files = await readdir(root, { recursive: true });
    const pages = files
      .filter((file) => /(^|\/)page\.tsx$/.test(file))
      .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`);
    expect(pages.toSorted()).toEqual(Object.keys(PAGE_POLICIES).toSorted());
    for (const action of Object.values(PAGE_POLICIES)) expect(ACTIONS).toContain(action);
  });

  it.each(ROLES)("lets the role %s through where its row says so, and nowhere else", async (role) => {
    const wrong: string[] = [];
    const rows = routesOf().flatMap(({ method, path, handler }): [string, string, Action][] => {
      const { permission } = declarationOf(handler) ?? {};
      return permission === undefined ? [] : [[method, path, permission]];
    });
    for (const [method, path, action] of rows) {
      const row = `${method} ${path}`;
      const answer = await host.call({
        method,
        path: `${path.replace(/:\w+/g, () => randomUUID())}?tenant=${host.tenant}`,
        headers: [
          ["cookie", cookies.get(role) ?? ""],
          ["origin", host.url],
          ["content-type", "application/json"],
          ["idempotency-key", randomUUID()],
        ],
        ...(method === "POST" && { body: JSON.stringify({ nothing: "of any body" }) }),
      });
      const refused = answer.status === 403 && answer.json?.["code"] === "auth.forbidden";
      if (refused === can(role, action))
        wrong.push(`${row}: ${String(answer.status)} ${String(answer.json?.["code"])}`);
      if (answer.status === 401 || answer.status >= 500) wrong.push(`${row}: ${answer.text}`);
    }
    expect(wrong).toEqual([]);
  });
});
