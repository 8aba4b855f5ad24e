import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { recordStatements } from "@/db/testing/record-statements";
import { requirePermission } from "@/engine/read/require";
import { openHost, type Host } from "../testing/host";
import { requireInProcess } from "../testing/in-process";
import { openTill, payment, type Till } from "../testing/till";

// Nothing is replaced: every call goes through and is counted.
vi.mock(import("@/engine/read/require"), { spy: true });

const reason = "the provider is back";

let host: Host;
let admin: Till;
let written: ReturnType<typeof recordStatements>;
let done = "";
let unknown = "";
beforeAll(async () => {
  host = await openHost("hono");
  written = recordStatements(requireInProcess(host).deps.db);
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

const asked = (): readonly string[] => vi.mocked(requirePermission).mock.calls.map(([, action]) => action);
const claims = () => written().filter(({ text }) => /onceboard\.claim\(/.test(text)).length;

const CLICKS: readonly (readonly [action: string, path: () => string, body: Readonly<Record<string, unknown>>])[] = [
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

describe("one click over HTTP", () => {
  it.each(CLICKS)(
    "%s asks at the door and in the verb, claims once, and once more when clicked again",
    async (action, path, body) => {
      const key = randomUUID();
      written();
      const first = await admin.post(`/admin${path()}`, body, { key });
      expect(first.status).toBe(200);
      expect(asked()).toEqual([action, action]);
      expect(claims()).toBe(1);
      const second = await admin.post(`/admin${path()}`, body, { key });
      expect(second.headers["idempotent-replayed"]).toBe("true");
      expect(second.json).toMatchObject({ auditId: first.json?.["auditId"] });
      expect(asked()).toEqual([action, action, action, action]);
      expect(claims()).toBe(1);
    },
  );
});
