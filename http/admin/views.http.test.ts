import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { openTill, type Till } from "../testing/till";

interface View {
  readonly id: string;
  readonly name: string;
  readonly search: string;
  readonly href: string;
  readonly createdBy: string;
  readonly mayChange: boolean;
}

describe.each(HOSTS)("saved views on %s (LIST-5)", (name) => {
  let host: TestHost;
  let admin: Till;
  let other: Till;
  beforeAll(async () => {
    host = await openHost(name);
    admin = await openTill(host, ["admin"]);
    other = await openTill(host, ["admin"], host.otherTenant);
  });
  afterAll(() => host.close());

  const list = async (by: Till = admin, page = "operations") =>
    ((await by.get(`/admin/views?page=${page}`)).json as unknown as { rows: View[] }).rows;
  const save = (fields: Readonly<Record<string, unknown>>, key: string = randomUUID(), by: Till = admin) =>
    by.post(
      "/admin/views",
      { page: "operations", name: "Over 1,000 today", search: "?min=1000.00", ...fields },
      { key },
    );
  const audits = (id: string) =>
    host.rows<{ action: string; before: unknown; after: unknown }>(
      "select action, before, after from onceboard.audit_entries where tenant_id = $1 and subject_type = 'view' and subject_id = $2 order by sequence",
      host.tenant,
      id,
    );

  it("are saved once per click, in the list's one form, and audited", async () => {
    const key = randomUUID();
    const search =
      "?cursor=abc&open=x&dialog=view:save&tenant=acme&view=old&direction=desc&client=till-web&state=STALE&columns=client,account";
    const first = await save({ name: "Stale of till-web", search }, key);
    expect(first).toMatchObject({ status: 200, json: { action: "views.write", changed: true } });
    const second = await save({ name: "Stale of till-web", search }, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const [view] = await list();
    expect(view).toMatchObject({
      name: "Stale of till-web",
      search: "?state=STALE&client=till-web&columns=client%2Caccount",
      mayChange: true,
    });
    expect(first.json?.["href"]).toBe(view?.href);
    expect(view?.href).toBe(`/operations${view?.search ?? ""}&view=${view?.id ?? ""}`);
    expect(await audits(view?.id ?? "")).toMatchObject([
      { action: "views.write", before: {}, after: { name: "Stale of till-web" } },
    ]);
    // Another tenant sees none of it.
    expect(await list(other)).toEqual([]);
    expect((await other.get(`/admin/views/${view?.id ?? ""}`)).status).toBe(404);
  });

  it("have one name per list", async () => {
    expect((await save({ name: "Once" })).status).toBe(200);
    expect(await save({ name: "Once" })).toMatchObject({ status: 409, json: { code: "view.exists" } });
    expect((await save({ name: "Once", page: "outbox", search: "?state=dead" })).status).toBe(200);
    const both = await Promise.all([save({ name: "Raced" }), save({ name: "Raced" })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("are renamed, overwritten and deleted, each with before and after", async () => {
    await save({ name: "Draft", search: "?state=STALE" });
    await save({ name: "Taken", search: "" });
    const found = (await list()).find((view) => view.name === "Draft");
    const id = found?.id ?? "";
    const change = (fields: Readonly<Record<string, unknown>>) => admin.post(`/admin/views/${id}/change`, fields);
    expect(await change({ name: "Taken" })).toMatchObject({ status: 409, json: { code: "view.exists" } });
    expect((await change({ name: "Final" })).json).toMatchObject({ changed: true });
    expect((await change({ name: "Final" })).json).toMatchObject({ changed: false });
    expect((await change({ search: "?sort=amount" })).json).toMatchObject({ changed: true });
    expect((await admin.get(`/admin/views/${id}`)).json).toMatchObject({ name: "Final", search: "?sort=amount" });
    expect(await change({})).toMatchObject({ status: 422 });
    expect((await admin.post(`/admin/views/${id}/delete`, {})).json).toMatchObject({ changed: true });
    expect((await admin.get(`/admin/views/${id}`)).status).toBe(404);
    expect(await change({ name: "Gone" })).toMatchObject({ status: 404, json: { code: "view.not_found" } });
    expect((await audits(id)).map(({ before, after }) => [before, after]).slice(1)).toEqual([
      [{ name: "Draft", search: "?state=STALE" }, expect.objectContaining({ name: "Final", search: "?state=STALE" })],
      [{ name: "Final", search: "?state=STALE" }, expect.objectContaining({ changed: false })],
      [{ name: "Final", search: "?state=STALE" }, expect.objectContaining({ search: "?sort=amount" })],
      [expect.objectContaining({ name: "Final" }), expect.objectContaining({ deleted: true })],
    ]);
  });

  it("keep nothing that the list does not understand", async () => {
    for (const search of ["?sate=STALE", "?min=ten", "?state=LOST"])
      expect(await save({ name: "Wrong", search }), search).toMatchObject({
        status: 400,
        json: { code: "validation.filter" },
      });
    expect(await save({ page: "nowhere" })).toMatchObject({ status: 422 });
    expect(await save({ name: " " })).toMatchObject({ status: 422 });
    expect(await admin.get("/admin/views?page=nowhere")).toMatchObject({ status: 400 });
    expect((await list()).some((view) => view.name === "Wrong")).toBe(false);
  });
});
