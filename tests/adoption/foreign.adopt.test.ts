import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { findClients, invoiceService, type Service } from "../sql-contract/testing/clients";
import { openServiceLogin, type ServiceLogin } from "../sql-contract/testing/service-login";
import { openPackaged, type PackagedDeployment } from "./deployment";

/** The service in Python beside a deployment of the packed package: what a person asks of it, and who is named. */

const PATIENCE = { timeout: 60_000, interval: 200 };
const PERSON = { email: "mira@example.com", password: "change this now", name: "Mira Holm" };
const python = findPython();

describe.skipIf(python === undefined)("a service in another language, on the packed package", () => {
  let deployment: PackagedDeployment;
  let owner: Database | undefined;
  let login: ServiceLogin | undefined;
  let service: Service;
  let cookie: string;
  beforeAll(async () => {
    deployment = await openPackaged(inject("installed"), "tests/adoption/bare");
    const { url, env } = deployment;
    env["PUBLIC_URL"] = url;
    expect(deployment.command("migrate")).toMatchObject({ status: 0 });
    // The tenant is there once it has a key.
    deployment.command("api-key", "--tenant", "acme", "--name", "billing", "--scopes", "admin");
    const { email, password, name } = PERSON;
    const person = ["--email", email, "--password", password, "--name", name, "--role", "admin"];
    expect(deployment.command("operator", ...person)).toMatchObject({ status: 0 });
    const address = env["DATABASE_URL"] ?? "";
    owner = createDatabase({ url: address, max: 2, role: "owner", applicationName: "adoption" });
    login = await openServiceLogin(owner, address);
    service = invoiceService(python ?? "", login.url);
    await service.run(["register"]);
    await deployment.start("serve");
    await deployment.start("worker");
    const signedIn = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ email, password }),
    });
    expect(signedIn.status).toBe(204);
    cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
  });
  afterAll(async () => {
    await login?.drop();
    await owner?.close();
    await deployment.close();
  });

  const key = `inv-${randomUUID()}`;
  const operation = async () =>
    (
      await deployment.rows<{ id: string; state: string }>(
        "select operation_id as id, state from onceboard.idempotency_requests where key = $1",
        key,
      )
    )[0];
  const state = async () => (await operation())?.state;
  const asPerson = (path: string, init: RequestInit = {}) =>
    fetch(`${deployment.url}${path}`, {
      ...init,
      headers: {
        cookie: `${cookie}; tenant=acme`,
        origin: deployment.url,
        "onceboard-tenant": "acme",
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
    });

  it("is unknown after its instance died behind the call, and our worker leaves it to who owns it", async () => {
    const held = await service.hold("sent", ["issue", key, "cus_1", "1999"]);
    await held.kill();
    await deployment.rows(
      "update onceboard.idempotency_open set locked_until = now() - interval '2 minutes' where key = $1",
      key,
    );
    await expect.poll(state, PATIENCE).toBe("UNKNOWN_REQUIRES_RECOVERY");
  });

  it("is asked by a signed-in person, takes the request and settles; page and audit name both", async () => {
    const { id } = (await operation()) ?? { id: "" };
    const asked = await asPerson(`/api/v1/admin/operations/${id}/reconcile`, {
      method: "POST",
      body: JSON.stringify({ reason: "the customer called" }),
    });
    expect([asked.status, await asked.json()]).toMatchObject([202, { request: { service: "invoices-py" } }]);
    expect(await state()).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await service.run(["recover"], { INSTANCE: "billing-2" })).toEqual({
      recovered: [{ operationId: id, to: "COMPLETED" }],
    });
    expect(await state()).toBe("COMPLETED");
    const answer = await asPerson(`/api/v1/admin/operations/${id}`);
    expect(await answer.json()).toMatchObject({
      state: "COMPLETED",
      audit: [
        { actorKind: "service", actorName: "invoices-py", action: "operations.reconcile" },
        { actorKind: "operator", actorName: PERSON.name, action: "operations.reconcile" },
      ],
    });
    const page = await asPerson(`/operations/${id}`);
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const name of [PERSON.name, "invoices-py", "billing-2"]) expect(html).toContain(name);
    const letters = await deployment.rows("select asked from mailhouse.letters");
    expect(letters).toEqual([{ asked: 1 }]);
  });
});

/** @returns a Python with psycopg2; without it one line says so */
function findPython(): string | undefined {
  try {
    if (process.env["SQL_CONTRACT"] === "skip") throw new Error("SQL_CONTRACT=skip");
    return findClients().python;
  } catch (error) {
    process.stderr.write(`The service in Python is not tested: ${String(error)}\n`);
    return undefined;
  }
}
