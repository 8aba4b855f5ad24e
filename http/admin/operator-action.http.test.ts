import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { recordStatements } from "@/db/testing/record-statements";
import { requirePermission } from "@/engine/actions/require";
import { openHost, type TestHost } from "../testing/host";
import { requireInProcess } from "../testing/in-process";
import { openTill, payment, type Till } from "../testing/till";

// Nothing is replaced: every call goes through and is counted.
vi.mock(import("@/engine/actions/require"), { spy: true });

const reason = "the provider is back";

let host: TestHost;
let admin: Till;
let taken: ReturnType<typeof recordStatements>;
let done = "";
let unknown = "";
beforeAll(async () => {
  host = await openHost("hono");
  taken = recordStatements(requireInProcess(host).deps.db);
  const till = await openTill(host);
  admin = await openTill(host, ["admin"]);
  await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
  done = String((await till.post("/payments", payment())).headers["operation-id"]);
  await host.faults({ timeout_after_accept: 1 });
  unknown = String((await till.post("/payments", payment())).headers["operation-id"]);
  await host.faults({ timeout_after_accept: 0 });
});
afterAll(() => host.close());
beforeEach(() => {
  vi.mocked(requirePermission).mockClear();
});

const checked = (): readonly string[] => vi.mocked(requirePermission).mock.calls.map(([, action]) => action);
const claims = () => taken().filter(({ text }) => /onceboard\.claim\(/.test(text)).length;

const REQUESTS: readonly (readonly [action: string, path: () => string, body: Readonly<Record<string, unknown>>])[] = [
  ["operations.reconcile", () => `/operations/${unknown}/reconcile`, {}],
  ["operations.purge_body", () => `/operations/${done}/purge-body`, { reason }],
  ["bodies.reveal", () => `/operations/${done}/reveal`, { reason }],
  ["topics.pause", () => "/topics/payments/pause", { reason, expectedVersion: 0 }],
  ["topics.route", () => "/topics/payments/route", { reason, expectedVersion: 1, transport: "http" }],
  ["policies.write", () => "/policies/payments.create", { reason, expectedVersion: 0, overrides: {} }],
  ["clients.manage", () => "/clients", { reason, name: "a till", scopes: ["payments"] }],
  ["retention.run", () => "/retention/runs", { reason }],
  ["invariants.run", () => "/invariants/check", {}],
  ["views.write", () => "/views", { page: "operations", name: "mine", search: "range=7d" }],
];

describe("an operator's request over HTTP", () => {
  it.each(REQUESTS)(
    "%s is checked by the guard and by the verb, claims once, and once more when it comes again",
    async (action, path, body) => {
      const key = randomUUID();
      taken();
      const first = await admin.post(`/admin${path()}`, body, { key });
      expect(first.status).toBe(200);
      expect(checked()).toEqual([action, action]);
      expect(claims()).toBe(1);
      const second = await admin.post(`/admin${path()}`, body, { key });
      expect(second.headers["idempotent-replayed"]).toBe("true");
      expect(second.json).toMatchObject({ auditId: first.json?.["auditId"] });
      expect(checked()).toEqual([action, action, action, action]);
      expect(claims()).toBe(1);
    },
  );
});
