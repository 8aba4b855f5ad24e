import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationKind } from "@/domain/operation-kind";
import { createTestDatabase } from "../testing/test-database";
import { registerKind, selectKinds } from "./operation-kinds";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const INVOICE: OperationKind = {
  name: "invoices.issue",
  owner: "invoices",
  runsIn: "service",
  label: "Invoice",
  path: "provider",
  provider: { name: "printer", dedupesForHours: Infinity, queryable: true },
  actions: ["reconcile"],
  expects: { once: "One invoice was issued." },
  version: "3",
};
const kindsNamed = async (name: string) => (await selectKinds(database.db.pool)).filter((kind) => kind.name === name);

describe("register_operation_kind", () => {
  it("keeps a kind as it was registered, and says whether something changed", async () => {
    expect(await registerKind(database.db.pool, INVOICE)).toBe(true);
    expect(await kindsNamed(INVOICE.name)).toEqual([INVOICE]);
    expect(await registerKind(database.db.pool, INVOICE)).toBe(false);
    expect(await registerKind(database.db.pool, { ...INVOICE, label: "Bill" })).toBe(true);
    expect(await kindsNamed(INVOICE.name)).toMatchObject([{ label: "Bill" }]);
  });

  it("refuses a name that another owner registered, and changes nothing", async () => {
    await registerKind(database.db.pool, { ...INVOICE, name: "invoices.cancel" });
    const other = { ...INVOICE, name: "invoices.cancel", owner: "billing", label: "Other" };
    await expect(registerKind(database.db.pool, other)).rejects.toMatchObject({ code: "42710" });
    expect(await kindsNamed("invoices.cancel")).toMatchObject([{ owner: "invoices", label: "Invoice" }]);
  });

  it.each([
    ["a name of the console", { name: "admin.anything" }],
    ["a provider path without a provider", { provider: undefined }],
    ["a provider on the local path", { path: "local" }],
    ["no owner", { owner: "" }],
  ] as const)("refuses %s", async (_what, wrong) => {
    const kind = { ...INVOICE, name: "invoices.wrong", ...wrong } as OperationKind;
    await expect(registerKind(database.db.pool, kind)).rejects.toMatchObject({ code: "22023" });
    expect(await kindsNamed(kind.name)).toEqual([]);
  });
});
