import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { upsertOperator } from "@/auth/operators";
import { createAuth } from "@/auth/sessions";
import type { Role } from "@/domain/idempotency/states";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { signedIn } from "../testing/signed-in";
import type { CheckedAnswer } from "@/http/testing/contract";

describe.each(HOSTS)("the tenants of a person, at %s", (name) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost(name);
    for (const tenant of [host.tenant, host.otherTenant]) await host.key(["admin"], { tenant });
  });
  afterAll(() => host.close());

  const get = (cookie: string, path: string, headers: readonly (readonly [string, string])[] = []) =>
    host.call({ path: `/api/v1/admin${path}`, headers: [["cookie", cookie], ...headers] });
  /** An answer without what is of its request alone. */
  const plain = ({ status, text, headers }: CheckedAnswer): string =>
    `${String(status)} ${text.replaceAll(String(headers["request-id"]), "<request>")}`;
  const give = (email: string, role: Role, tenant?: string) =>
    upsertOperator(host.db, createAuth({ db: host.db, secret: host.secret, publicUrl: host.url }), {
      ...{ email, role, tenant, password: "correct horse battery" },
    });

  it("answers a forbidden tenant byte for byte as one that there is not, wherever it is named", async () => {
    const cookie = await signedIn(host, "admin", host.tenant);
    const both = await signedIn(host, "viewer");
    expect((await get(both, `/operations?tenant=${host.otherTenant}`)).status).toBe(200);
    for (const path of ["/operations", "/people", "/settings", `/operations/${randomUUID()}`, "/exports/audit"]) {
      const unknown = plain(await get(cookie, `${path}?tenant=nowhere`));
      expect(unknown).toMatch(/^404 .*"code":"tenant\.not_found"/);
      expect(plain(await get(cookie, `${path}?tenant=${host.otherTenant}`))).toBe(unknown);
      expect(plain(await get(cookie, path, [["onceboard-tenant", host.otherTenant]]))).toBe(unknown);
    }
  });

  it("needs no name where one tenant alone is granted, and says what is missing where none is", async () => {
    const one = await signedIn(host, "viewer", host.otherTenant);
    expect((await get(one, "/settings")).json).toMatchObject({ tenant: { id: host.otherTenant } });
    const all = await signedIn(host, "viewer");
    expect((await get(all, "/settings")).json).toMatchObject({ code: "tenant.missing" });
    const nobody = await signedIn(host, "viewer", host.tenant);
    await host.rows(
      "delete from onceboard.operator_grants where operator_id in (select id from onceboard.operators where role is null) and tenant_id = $1 and role = 'viewer'",
      host.tenant,
    );
    expect((await get(nobody, `/settings?tenant=${host.tenant}`)).json).toMatchObject({ code: "tenant.not_found" });
  });

  it("has another role in each tenant, from the next request on", async () => {
    const cookie = await signedIn(host, "viewer");
    const session = await host.call({ path: "/api/auth/get-session", headers: [["cookie", cookie]] });
    const { email, role } = session.json?.["operator"] as { email: string; role: string };
    expect(role).toBe("viewer");
    const verify = (tenant: string) => get(cookie, `/audit/verify?tenant=${tenant}`);
    expect([(await verify(host.tenant)).status, (await verify(host.otherTenant)).status]).toEqual([403, 403]);
    const [found] = await host.rows<{ id: string }>("select id from onceboard.operators where email = $1", email);
    const id = found?.id ?? "";
    await host.rows(
      "insert into onceboard.operator_grants (operator_id, tenant_id, role) values ($1, $2, 'auditor')",
      id,
      host.otherTenant,
    );
    expect([(await verify(host.tenant)).status, (await verify(host.otherTenant)).status]).toEqual([403, 200]);
    await give(email, "admin", host.otherTenant);
    const kept = await host.rows(
      "select role, (select role from onceboard.operator_grants g where g.operator_id = o.id) as own from onceboard.operators o where id = $1",
      id,
    );
    expect(kept).toEqual([{ role: "viewer", own: "admin" }]);
  });

  it("changes a role in one tenant by the route, for an admin of all of them", async () => {
    const admin = await signedIn(host, "admin");
    const local = await signedIn(host, "admin", host.tenant);
    const email = `${randomUUID()}@example.com`;
    const { id } = await give(email, "viewer");
    const post = (cookie: string, body: unknown) =>
      host.call({
        method: "POST",
        path: `/api/v1/admin/people/${id}/role?tenant=${host.tenant}`,
        headers: [
          ["cookie", cookie],
          ["origin", host.url],
          ["content-type", "application/json"],
          ["idempotency-key", randomUUID()],
        ],
        body: JSON.stringify({ reason: "said so in the meeting", ...(body as object) }),
      });
    expect((await post(local, { role: "admin", tenant: host.tenant })).json).toMatchObject({ code: "auth.forbidden" });
    const done = await post(admin, { role: "operator", tenant: host.otherTenant });
    expect(done.json).toMatchObject({
      message: `From their next request on they are operator in ${host.otherTenant}.`,
    });
    expect((await post(admin, { role: "none" })).json).toMatchObject({
      message: "From their next request on they have no role of their own on all tenants.",
    });
    const { json } = await get(admin, `/people?tenant=${host.tenant}`);
    const people = json?.["people"] as readonly { readonly id: string }[];
    const one = people.find((each) => each.id === id);
    expect(one).toMatchObject({ tenants: [{ tenant: host.otherTenant, role: "operator" }] });
    expect(one).not.toHaveProperty("role");
  });
});
