import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROW_PAGES } from "@/presentation/list/saved-view";
import { HOSTS, openHost, type TestHost } from "../../testing/host";
import { openTill, payment, type Till } from "../../testing/till";

describe.each(HOSTS)("exports of lists on %s (EXPORT-3)", (name) => {
  let host: TestHost;
  let admin: Till;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    admin = await openTill(host, ["admin"]);
    till = await openTill(host);
    for (const amount of ["10.00", "20.00", "30.00"])
      expect((await till.post("/payments", payment({ amount, accountId: "=cmd()" }))).status).toBe(201);
  });
  afterAll(() => host.close());

  it("are a CSV with the filters of the list, masked like it, audited, cached by nobody", async () => {
    const csv = await admin.get("/admin/exports/operations?currency=EUR&min=15.00&sort=amount");
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "cache-control": "no-store",
      "content-disposition": expect.stringMatching(
        new RegExp(`^attachment; filename="operations-${host.tenant}-\\d{8}T\\d{6}Z\\.csv"$`),
      ) as string,
    });
    const lines = csv.text
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    expect(lines[0]?.slice(0, 3)).toEqual(["operation_id", "key", "operation"]);
    expect(lines.slice(1).map((cells) => [cells[5], cells[7], cells[8]])).toEqual([
      ["'=cmd()", "30.00", "EUR"],
      ["'=cmd()", "20.00", "EUR"],
    ]);
    const entries = await host.rows<{ evidence: { filters: { sort: string } } }>(
      "select evidence from onceboard.audit_entries where tenant_id = $1 and action = 'exports.operations'",
      host.tenant,
    );
    expect(entries).toMatchObject([{ evidence: { filters: { sort: "amount", min: "1500" } } }]);
  });

  it("are JSON whose last member says whether it is whole, or lines of JSON", async () => {
    const json = await admin.get("/admin/exports/operations?format=json");
    expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(json.json).toMatchObject({ list: "operations", count: 3, cut: false });
    expect(json.json?.["rows"]).toMatchObject([{ amount: "30.00" }, { amount: "20.00" }, { amount: "10.00" }]);
    const lines = await admin.get("/admin/exports/operations?format=ndjson");
    expect(lines.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    expect(
      lines.text
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { amount: string }).amount),
    ).toEqual(["30.00", "20.00", "10.00"]);
  });

  it("hold the columns that the address names, and are audited with them", async () => {
    const csv = await admin.get("/admin/exports/operations?columns=what,amount,account");
    const lines = csv.text.trimEnd().split("\r\n");
    expect(lines[0]).toBe("operation_id,operation,key,account,amount,currency");
    expect(lines[1]).toMatch(/^[0-9a-f-]{36},payments\.create,[^,]+,'=cmd\(\),30\.00,EUR$/);
    const [entry] = await host.rows<{ columns: string[] }>(
      "select evidence -> 'columns' as columns from onceboard.audit_entries where tenant_id = $1 and action = 'exports.operations' order by sequence desc limit 1",
      host.tenant,
    );
    expect(entry?.columns).toEqual(lines[0]?.split(","));
  });

  it.each(["operations?columns=what,secret", "operations?columns=act", "conflicts?columns=at"])(
    "refuse a column that the list does not have: %s",
    async (path) => {
      expect(await admin.get(`/admin/exports/${path}`)).toMatchObject({
        status: 400,
        json: { code: "validation.filter", filters: ["columns"] },
      });
    },
  );

  it.each(ROW_PAGES)("there is one of %s, empty or not", async (list) => {
    const json = await admin.get(`/admin/exports/${list}?format=json`);
    expect(json.status).toBe(200);
    expect(json.json).toMatchObject({ list, cut: false });
    const csv = await admin.get(`/admin/exports/${list}`);
    expect(csv.text.split("\r\n")[0]).toMatch(/^[a-z_,]+$/);
  });

  it("refuse what the list does not understand, and whoever may not read it", async () => {
    expect(await admin.get("/admin/exports/operations?format=xml")).toMatchObject({
      status: 400,
      json: { filters: ["format"] },
    });
    expect(await admin.get("/admin/exports/outbox?sate=dead")).toMatchObject({
      status: 400,
      json: { filters: ["sate"] },
    });
    expect(await till.get("/admin/exports/operations")).toMatchObject({ status: 403 });
    expect(await admin.get("/admin/exports/everything")).toMatchObject({ status: 404 });
  });
});
