import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOperator } from "@/auth/operator-session";
import { upsertOperator } from "@/auth/operators";
import { createAuth, type Auth } from "@/auth/sessions";
import { readOwningTenant } from "@/console/read/operations/read-owning-tenant";
import { find } from "@/console/read/operations/find";
import { listAudit } from "@/console/read/access/list-audit";
import { readPeople } from "@/console/read/access/read-people";
import { readSettings } from "@/console/read/access/read-settings";
import { listOperations } from "@/console/read/operations/list-operations";
import { operationFactory } from "@/db/testing/factories/operation-factory";
import type { Role } from "@/domain/idempotency/states";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import type { EngineContext, OperatorActor } from "@/engine/context";
import { changeOperatorRole, GRANTS_MAX } from "./change-role";
import { inviteOperator } from "./people-actions";

const PUBLIC_URL = "https://ops.example.com";
const PASSWORD = "correct horse battery";
const OTHER = "globex";
let env: EngineTestEnvironment;
let auth: Auth;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  auth = createAuth({ db: env.owner, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
  await env.rows("insert into onceboard.tenants (id, name) values ($1, $1) on conflict do nothing", OTHER);
  // So that nobody here is the last one.
  await person({ role: "admin" });
});
afterAll(() => env.close());

const admin = (): EngineContext => env.context({ actor: operator("admin") });
const click = () => ({ idempotencyKey: randomUUID(), receivedAt: 0, reason: "said so in the meeting" });

/** Somebody with these grants and no other, in a tenant. */
function seen(tenantId: string, grants: Pick<OperatorActor, "role" | "tenants">): EngineContext {
  const actor = { ...operator(), ...grants } as OperatorActor;
  return { ...env.context({ actor }), tenantId };
}

async function person(given: { readonly role: Role; readonly tenant?: string }) {
  const email = `${randomUUID()}@example.com`;
  const { id } = await upsertOperator(env.owner, auth, { email, password: PASSWORD, ...given });
  const answer = await auth.handler(
    new Request(`${PUBLIC_URL}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: PUBLIC_URL },
      body: JSON.stringify({ email, password: PASSWORD }),
    }),
    `192.0.2.${String(Math.floor(Math.random() * 200))}`,
  );
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { id, email, who: () => readOperator(auth, new Headers({ cookie: cookie.join("; ") })) };
}

describe("a role in one tenant", () => {
  it("acts on the next request, beside the one on all tenants, and is audited", async () => {
    const one = await person({ role: "viewer" });
    await changeOperatorRole(admin(), click(), one.id, { role: "operator", tenant: OTHER });
    expect(await one.who()).toMatchObject({ role: "viewer", tenants: { [OTHER]: "operator" } });
    await changeOperatorRole(admin(), click(), one.id, { role: "none" });
    expect(await one.who()).toMatchObject({ role: undefined, tenants: { [OTHER]: "operator" } });
    await changeOperatorRole(admin(), click(), one.id, { role: "none", tenant: OTHER });
    expect(await one.who()).toMatchObject({ role: undefined, tenants: {} });
    const kept = await env.rows(
      "select before, after from onceboard.audit_entries where subject_id = $1 and action = 'operators.change_role' order by sequence",
      one.id,
    );
    expect(kept).toMatchObject([
      { before: { role: "viewer" }, after: { role: "viewer", tenants: { [OTHER]: "operator" } } },
      { before: { role: "viewer", tenants: { [OTHER]: "operator" } }, after: { role: null } },
      { before: { role: null, tenants: { [OTHER]: "operator" } }, after: { tenants: {} } },
    ]);
  });

  it("is that of a tenant that there is, and one person has a bounded number of them", async () => {
    const one = await person({ role: "viewer" });
    const give = (tenant: string) => changeOperatorRole(admin(), click(), one.id, { role: "viewer", tenant });
    await expect(give("nowhere")).rejects.toMatchObject({ code: "tenant.not_found", status: 404 });
    await expect(give("constructor")).rejects.toMatchObject({ code: "tenant.not_found" });
    await env.rows(
      `with made as (insert into onceboard.tenants (id, name) select 'many-' || n, 'm' from generate_series(1, $2::int) n returning id)
       insert into onceboard.operator_grants (operator_id, tenant_id, role) select $1, id, 'viewer' from made`,
      one.id,
      GRANTS_MAX,
    );
    await expect(give(OTHER)).rejects.toMatchObject({ code: "operator.grant_limit", status: 409 });
    await changeOperatorRole(admin(), click(), one.id, { role: "none", tenant: "many-1" });
    expect((await give(OTHER)).answer.changed).toBe(true);
  });

  it("is what somebody is invited with, and what the command line gives, without one on all tenants", async () => {
    const email = `${randomUUID()}@example.com`;
    const invited = { email, name: "New One", role: "approver", tenant: OTHER } as const;
    await inviteOperator(admin(), PUBLIC_URL, click(), invited);
    const people = await readPeople(admin(), undefined);
    expect(people.people.find((each) => each.email === email)).toMatchObject({
      role: undefined,
      tenants: [{ tenant: OTHER, role: "approver" }],
    });
    expect(people.tenants).toContain(OTHER);
    const missing = { ...invited, email: `x-${email}`, tenant: "nowhere" };
    await expect(inviteOperator(admin(), PUBLIC_URL, click(), missing)).rejects.toMatchObject({
      code: "tenant.not_found",
    });
    const one = await person({ role: "viewer", tenant: OTHER });
    expect(await one.who()).toMatchObject({ role: undefined, tenants: { [OTHER]: "viewer" } });
    await expect(person({ role: "viewer", tenant: "nowhere" })).rejects.toMatchObject({ code: "validation.operator" });
  });
});

describe("a verb of one tenant", () => {
  const none = { role: undefined, tenants: { [OTHER]: "admin" } } as const;

  it("is not found without a grant there, whichever role another tenant gives, and asks the role of that tenant", async () => {
    const refused = { code: "tenant.not_found", status: 404, message: "There is no such tenant" };
    const input = { filters: { range: "24h" }, cursor: undefined } as unknown as Parameters<typeof listOperations>[1];
    await expect(listOperations(seen(TENANT, none), input)).rejects.toMatchObject(refused);
    await expect(listOperations(seen("nowhere", none), input)).rejects.toMatchObject(refused);
    await expect(readSettings(seen(TENANT, none))).rejects.toMatchObject(refused);
    const mixed = { role: "admin", tenants: { [OTHER]: "viewer" } } as const;
    const may = async (tenant: string) =>
      (await readSettings(seen(tenant, mixed))).permissions.find(({ action }) => action === "policies.write")?.allowed;
    expect([await may(TENANT), await may(OTHER)]).toEqual([true, false]);
  });

  it("about people and the access log takes the role on all tenants, not that of the tenant", async () => {
    const local = { role: "viewer", tenants: { [TENANT]: "admin" } } as const;
    const need =
      "On all tenants you have the role viewer. Reading people and their sessions needs the role admin on all tenants.";
    await expect(readPeople(seen(TENANT, local), undefined)).rejects.toMatchObject({
      code: "auth.forbidden",
      message: need,
    });
    const only = seen(TENANT, { role: undefined, tenants: { [TENANT]: "admin" } });
    await expect(readPeople(only, undefined)).rejects.toMatchObject({
      message: "Reading people and their sessions needs the role admin on all tenants.",
    });
    const access = { filters: { chain: "access" } } as unknown as Parameters<typeof listAudit>[1];
    await expect(listAudit(only, access)).rejects.toMatchObject({ code: "auth.forbidden" });
    const one = await person({ role: "viewer" });
    await expect(changeOperatorRole(only, click(), one.id, { role: "admin", tenant: TENANT })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    const everywhere = seen(OTHER, { role: "admin", tenants: { [OTHER]: "viewer" } });
    expect((await readPeople(everywhere, undefined)).people.length).toBeGreaterThan(1);
  });

  it("names only who has a role in the tenant, with that role", async () => {
    const here = await person({ role: "viewer", tenant: TENANT });
    const there = await person({ role: "admin", tenant: OTHER });
    const both = await person({ role: "viewer" });
    await changeOperatorRole(admin(), click(), both.id, { role: "operator", tenant: TENANT });
    const { operators } = await readSettings(seen(TENANT, { role: undefined, tenants: { [TENANT]: "viewer" } }));
    const roleOf = (id: string) => operators.find((each) => each.id === id)?.role;
    expect([roleOf(here.id), roleOf(there.id), roleOf(both.id)]).toEqual(["viewer", undefined, "operator"]);
  });

  it("looks into other tenants only where they are granted", async () => {
    await operationFactory({ q: env.owner.pool, tenantId: OTHER }).completed({
      key: "only-there",
      reference: "ref-there",
    });
    const [found] = await env.rows<{ id: string }>(
      "select operation_id as id from onceboard.idempotency_requests where tenant_id = $1 and key = 'only-there'",
      OTHER,
    );
    const id = found?.id ?? "";
    const tenants = [TENANT, OTHER];
    const look = async (grants: Pick<OperatorActor, "role" | "tenants">) => {
      const ctx = seen(TENANT, grants);
      const hits = await find(ctx, { q: "only-there", others: tenants });
      const owner = await readOwningTenant(ctx, { page: "operations", id, tenants });
      return [hits.kind === "found" && hits.targets.length, owner];
    };
    expect(await look({ role: undefined, tenants: { [TENANT]: "admin" } })).toEqual([0, undefined]);
    expect(await look({ role: undefined, tenants: { [TENANT]: "viewer", [OTHER]: "viewer" } })).toEqual([1, OTHER]);
    expect(await look({ role: "viewer" })).toEqual([1, OTHER]);
  });
});
