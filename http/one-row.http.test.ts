import { afterAll, beforeAll, expect, it } from "vitest";
import { recordStatements } from "@/db/testing/record-statements";
import { openHost, type TestHost } from "./testing/host";
import { requireInProcess } from "./testing/in-process";
import { openTill, payment, type Till } from "./testing/till";

let host: TestHost;
let admin: Till;
let operationId: string;
let written: ReturnType<typeof recordStatements>;
beforeAll(async () => {
  host = await openHost("hono");
  written = recordStatements(requireInProcess(host).deps.db);
  const till = await openTill(host);
  admin = await openTill(host, ["admin"]);
  operationId = String((await till.post("/payments", payment())).headers["operation-id"]);
});
afterAll(() => host.close());

/** @returns the statements of one call, besides who calls and which kinds there are, that name none of these */
async function others(path: string, names: readonly string[]): Promise<readonly string[]> {
  await requireInProcess(host).deps.answers.flush();
  written();
  expect((await admin.get(path)).status).toBe(200);
  const all = written().filter(
    ({ text }) => !/^\s*(begin|commit|rollback|set )/i.test(text) && !/api_keys|operation_kind/.test(text),
  );
  expect(all.length).toBeGreaterThan(0);
  return all
    .filter(({ values }) => !values.flat().some((value) => names.includes(String(value))))
    .map(({ text }) => text.replace(/\s+/g, " "));
}

it("a row that is opened beside a list is read by statements about that row", async () => {
  expect(await others(`/admin/operations/${operationId}`, [operationId])).toEqual([]);
  const [message] = await host.rows<{ id: string }>(
    "select id from onceboard.outbox_messages where operation_id = $1",
    operationId,
  );
  const id = message?.id ?? "none";
  // Its topic is a fact of the message.
  expect(await others(`/admin/outbox/${id}`, [id, operationId, "payments"])).toEqual([]);
  // The list is another matter: its statements name no row.
  expect(await others("/admin/operations", [operationId])).not.toEqual([]);
});
