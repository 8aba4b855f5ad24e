import { describe, expect, it } from "vitest";
import { namedStatementsIn, statementsOf, tablesOfAllTenants } from "./statements";

const TABLES = new Set(["idempotency_requests", "outbox_messages", "tenants"]);
const found = (text: string) => tablesOfAllTenants(text, TABLES);

describe("a statement names one tenant", () => {
  it.each([
    "select 1 from onceboard.idempotency_requests r where r.tenant_id = p_tenant and r.key = $1",
    "update onceboard.outbox_messages m set state = 'dead' from x where m.tenant_id = p_tenant and m.id = x.id",
    "insert into onceboard.outbox_messages as k (tenant_id, id) values (p_tenant, p_id)",
    "select 1 from onceboard.idempotency_requests r join onceboard.outbox_messages m on m.tenant_id = r.tenant_id where $1 = r.tenant_id",
    "delete from onceboard.outbox_messages where tenant_id = $1",
    // On every node.
    "select 1 from onceboard.tenants where home_region = $1",
    // A function.
    "select * from onceboard.claim_outbox($1)",
  ])("%s", (text) => expect(found(text)).toEqual([]));

  it.each([
    ["select 1 from onceboard.idempotency_requests r where r.key = $1", ["idempotency_requests"]],
    [
      "delete from onceboard.outbox_messages m where m.ctid = any (array(select d.ctid from x d where d.tenant_id = p_tenant))",
      ["outbox_messages"],
    ],
    ["insert into onceboard.outbox_messages (id) values ($1)", ["outbox_messages"]],
    [
      "select 1 from onceboard.idempotency_requests r join onceboard.outbox_messages m on m.id = r.id where r.tenant_id = $1",
      ["outbox_messages"],
    ],
    ["select 1 from onceboard.idempotency_requests where tenant_id = any ($1)", ["idempotency_requests"]],
    [
      "select 1 from onceboard.outbox_messages m -- m.tenant_id = p_tenant\n where m.x = 'm.tenant_id = 1'",
      ["outbox_messages"],
    ],
  ])("not: %s", (text, tables) => expect(found(text)).toEqual(tables));

  it("not where nobody named one", () => {
    const joined = "update onceboard.outbox_messages m set x = 1 from said where m.tenant_id = said.tenant_id";
    expect(tablesOfAllTenants(joined, TABLES, true)).toEqual([]);
    expect(tablesOfAllTenants(joined, TABLES, false)).toEqual(["outbox_messages"]);
  });
});

describe("statements are found", () => {
  it("in the body of a function", () => {
    const text = "create function f() as $$ begin select 1; -- x;\n for r in select 2 loop update t; end loop; end $$;";
    expect(statementsOf({ name: "f", text }).map((each) => each.text)).toEqual([
      "begin select 1",
      "for r in select 2",
      "update t",
      "end",
      "end",
    ]);
  });

  it("in a source file, by their names", () => {
    const source =
      'query({\n  name: "one",\n  text: `select ${LIST} from a`,\n}); query({ name: "two", text: "select 2" })';
    expect(namedStatementsIn(source)).toEqual([
      { name: "one", ofOne: true, text: "select ${LIST} from a" },
      { name: "two", ofOne: true, text: "select 2" },
    ]);
  });
});
