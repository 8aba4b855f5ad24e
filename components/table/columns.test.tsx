// @vitest-environment happy-dom
import type { ReactNode } from "react";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { columnsValue, exportableColumns, fieldsOf, fieldValues, declareList } from "@/presentation/list/columns";
import { exportWriter } from "@/presentation/list/export-writer";
import { LISTS } from "@/presentation/list/lists";
import { ROW_PAGES, type ListPage } from "@/presentation/list/saved-view";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { drawnCells, columnsOf, type Cells } from "./columns";
import { DataTable } from "./data-table";

interface Ship {
  readonly name: string;
  readonly tons: number;
  readonly port?: string | undefined;
}
const SORTS = ["name", "weight"] as const;
const SHIPS = declareList<Ship>()({
  id: "ship_name",
  sorts: SORTS,
  fields: {
    ship_name: (ship) => ship.name,
    tons: (ship) => ship.tons,
    home_port: (ship) => ship.port,
  },
  columns: {
    name: { label: "Ship", phone: "left", fields: ["ship_name"], sort: { by: "name" } },
    load: { label: "Load", align: "right", choice: "on", fields: ["tons"], sort: { by: "weight", reversed: true } },
    port: { label: "Home port", choice: "off", plain: true, fields: ["home_port"] },
  },
});
const CELLS: Cells<typeof SHIPS, Ship> = {
  name: ({ name }) => <b>{name}</b>,
  load: ({ tons }) => `${String(tons)} t`,
};

interface PortProps {
  readonly name: string;
  readonly seen: readonly number[];
  readonly of: { readonly land: string };
  readonly note?: ReactNode;
}
const Port = ({ name, note }: PortProps) => <b title={name}>{note}</b>;
const Depth = ({ of }: { readonly of: unknown }) => <i>{String(of)}</i>;
const Quay = ({ name }: PortProps) => <i>{name}</i>;

function draw(
  search: PageAddress["search"],
  sort: (typeof SORTS)[number] = "name",
  direction: "asc" | "desc" = "desc",
) {
  const address = { path: "/ships", search };
  const hrefOf = (changes: Parameters<typeof filterHref>[1]): string => filterHref(address, changes);
  const columns = columnsOf(SHIPS, { address, sorting: { sort, direction, hrefOf } });
  const cells = drawnCells(SHIPS, columns, CELLS);
  const ships: readonly Ship[] = [
    { name: "Ada", tons: 20 },
    { name: "Bell", tons: 7, port: "Oban" },
  ];
  const rows = ships.map((ship) => ({ id: ship.name, label: ship.name, cells: cells(ship, undefined) }));
  render(inApp(<DataTable label="Ships" columns={columns} rows={rows} />));
  const table = screen.getByRole("table", { name: "Ships" });
  const heads = within(table).getAllByRole("columnheader");
  const lines = within(table).getAllByRole("row").slice(1);
  return {
    columns,
    heads: heads.map((head) => head.textContent),
    sorted: heads.map((head) => head.getAttribute("aria-sort")),
    links: heads.map((head) => head.querySelector("a")?.getAttribute("href")),
    lines: lines.map((line) =>
      within(line)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ),
  };
}

afterEach(cleanup);

describe("one declaration of a list", () => {
  it("draws its cells in its order, and hides what the address does not ask for", () => {
    expect(draw({}).heads).toEqual(["Ship ↓", "Load"]);
    cleanup();
    const { heads, lines } = draw({ columns: "port,load" });
    expect(heads).toEqual(["Ship ↓", "Load", "Home port"]);
    expect(lines).toEqual([
      ["Ada", "20 t", "none"],
      ["Bell", "7 t", "Oban"],
    ]);
    cleanup();
    expect(draw({ columns: "none" }).lines).toEqual([["Ada"], ["Bell"]]);
  });

  it("names its columns in the address, and nothing where they are the standard", () => {
    const { columns } = draw({});
    expect(columnsValue(columns, new Set(["name", "load"]))).toBeUndefined();
    expect(columnsValue(columns, new Set(["name", "port"]))).toBe("port");
    expect(columnsValue(columns, new Set(["name"]))).toBe("none");
  });

  it("sorts by addresses, and says how it is sorted", () => {
    const standard = draw({ port: "Oban", cursor: "c" });
    expect(standard.sorted).toEqual(["descending", null]);
    expect(standard.links).toEqual(["/ships?port=Oban&direction=asc", "/ships?port=Oban&sort=weight"]);
    cleanup();
    // What is reversed rises where its value falls.
    const other = draw({ sort: "weight" }, "weight");
    expect(other.sorted).toEqual([null, "ascending"]);
    expect(other.links).toEqual(["/ships", "/ships?sort=weight&direction=asc"]);
    cleanup();
    expect(draw({ sort: "weight", direction: "asc" }, "weight", "asc").sorted).toEqual([null, "descending"]);
  });

  it("draws what looks the same once, so that React sends it once", () => {
    const port: Record<string, ReactNode> = {
      Ada: <Port name="Oban" seen={[1, 2]} of={{ land: "Scotland" }} />,
      Bell: <Port name="Oban" seen={[1, 2]} of={{ land: "Scotland" }} />,
      Cove: <Port name="Oban" seen={[1, 2]} of={{ land: "Ireland" }} />,
      Dora: <Port name="Oban" seen={[1]} of={{ land: "Scotland" }} />,
      Erne: <Quay name="Oban" seen={[1, 2]} of={{ land: "Scotland" }} />,
      Flint: <Port name="Oban" seen={[1, 2]} of={{ land: "Scotland" }} note={<i>a</i>} />,
      Gull: <Port name="Oban" seen={[1, 2]} of={{ land: "Scotland" }} note={<b>a</b>} />,
      Hoy: <Port name="Oban" seen={[1, 2]} of={{ land: "Scotland" }} note={<b>a</b>} />,
      // What JSON does not know or does not tell apart.
      Iona: <Depth of={1n} />,
      Jura: <Depth of={1n} />,
      Kyle: <Depth of={new Set([1])} />,
      Lewis: <Depth of={new Set([2])} />,
      Mull: <Depth of={NaN} />,
      Nairn: <Depth of={Infinity} />,
      Oronsay: <Depth of={() => 1} />,
      Port: <Depth of={() => 2} />,
    };
    const drawing: Cells<typeof SHIPS, Ship> = { ...CELLS, name: ({ name }) => port[name] };
    const cells = drawnCells(SHIPS, columnsOf(SHIPS), drawing);
    const drawn = Object.keys(port).map((name) => cells({ name, tons: 1 }, undefined)["name"]);
    // Two elements within one may look the same, or not: that is not looked into.
    expect(drawn.map((cell) => drawn.indexOf(cell))).toEqual([0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(drawn[1]).toBe(port["Ada"]);
    // Another list has its own.
    const again = drawnCells(SHIPS, columnsOf(SHIPS), drawing);
    expect(again({ name: "Bell", tons: 1 }, undefined)["name"]).toBe(port["Bell"]);
  });

  it("does not compile with a column without a cell, a cell without a column, or names that it does not have", () => {
    // @ts-expect-error: no cell of `load`
    const few: Cells<typeof SHIPS, Ship> = { name: () => null };
    // @ts-expect-error: no column `mast`
    const many: Cells<typeof SHIPS, Ship> = { name: () => null, load: () => null, mast: () => null };
    const declared = { id: "a", fields: { a: () => 1 } } as const;
    // @ts-expect-error: no field `b`
    declareList()({ ...declared, columns: { x: { label: "X", fields: ["b"] } } });
    // @ts-expect-error: the server does not sort by `y`
    declareList()({ ...declared, sorts: ["x"], columns: { x: { label: "X", sort: { by: "y" } } } });
    expect([few, many]).toHaveLength(2);
  });

  it("is what its files hold: all fields in the file's order, or those of the columns in the list's", () => {
    const csv = (names?: readonly string[]): string => {
      const fields = fieldsOf(SHIPS, names);
      const writer = exportWriter("csv", "ships", fields, "");
      return writer.head + writer.row(fieldValues(SHIPS, { name: "=Ada", tons: 20 }, fields), true);
    };
    expect(csv()).toBe("ship_name,tons,home_port\r\n'=Ada,20,\r\n");
    expect(csv(["port"])).toBe("ship_name,home_port\r\n'=Ada,\r\n");
    expect(csv(["load", "name"])).toBe("ship_name,tons\r\n'=Ada,20\r\n");
  });
});

/** The names that addresses, saved views and other people's programs know: a name that is here stays. */
const KNOWN: Readonly<Record<ListPage, { readonly columns: string; readonly shown: string; readonly fields: string }>> =
  {
    operations: {
      columns: "state what client account reference error amount chain answers age",
      shown: "state what amount chain answers age",
      fields:
        "operation_id,key,operation,state,client,account,reference,amount,currency,error_code,http_status,created_at,requests,answers,chain",
    },
    attention: {
      columns: "state operation amount for client account reference chain answers known act",
      shown: "state operation amount for chain answers known act",
      fields:
        "operation_id,key,operation,state,client,account,reference,amount,currency,error_code,http_status,created_at,requests,answers,chain,doubt_since,known,checks,last_finding,next_check_at,assigned_to",
    },
    conflicts: {
      columns: "",
      shown: "",
      fields: "event_id,at,client,operation,operation_id,differing_fields,http_status,request_id",
    },
    outbox: {
      columns: "state message order attempts transport error next age safe operation act",
      shown: "state message order attempts next age safe operation act",
      fields:
        "message_id,state,topic,transport,type,aggregate_type,aggregate_id,position,operation_id,attempts,created_at,next_attempt_at,published_at,error_code,error,topic_name,corrects,corrected_by,verdict,safe_to_act,outlook,outlook_why",
    },
    inbox: {
      columns: "state message from arrivals attempts result error next age safe operation act",
      shown: "state message from arrivals attempts next age safe operation act",
      fields:
        "inbox_id,message_id,consumer,source,type,state,operation_id,received_at,processed_at,result,duplicates,mismatches,attempts,next_attempt_at,error_code,error,verdict,safe_to_act,outlook,outlook_why",
    },
    "dead-letters": {
      columns: "message operation attempts since safe act",
      shown: "message operation attempts since safe act",
      fields:
        "dead_letter_id,side,message_id,place,type,operation_id,error_code,error,attempts,dead_at,settlement,corrected_by,settled_at,settled_by,reason,place_name,verdict,safe_to_act,outlook,outlook_why",
    },
    plans: {
      columns: "state what progress rows by age",
      shown: "state what progress rows by age",
      fields:
        "plan_id,kind,state,rows,reason,created_at,created_by,decided_at,decided_by,decision_reason,started_at,started_by,ended_at,ended_by,scope",
    },
    audit: {
      columns: "at who action subject reason sequence",
      shown: "at who action subject reason",
      fields: "sequence,entry_id,at,actor_kind,actor,actor_email,action,subject_type,subject_id,reason",
    },
  };

describe.each(ROW_PAGES)("the list of %s", (page) => {
  const list = LISTS[page];
  it("keeps its names", () => {
    const shown = columnsOf(list).flatMap(({ id, hidden }) => (hidden ? [] : [id]));
    expect({
      columns: Object.keys(list.columns).join(" "),
      shown: shown.join(" "),
      fields: fieldsOf(list).join(","),
    }).toEqual(KNOWN[page]);
  });

  it("says each of its fields in a file by some column, or names its rows by it", () => {
    const fields = fieldsOf(list, exportableColumns(list));
    expect(fieldsOf(list)).toEqual(expect.arrayContaining([...fields]));
    expect(fields[0]).toBe(list.id);
  });
});
