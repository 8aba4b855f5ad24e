import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyProof, type ProofKey } from "@/client/verify-proof";
import { PROOF_FORMAT, type SignedProof } from "@/presentation/proof/proof-statement";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { openTill, payment, type Till } from "../testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

interface Keys {
  readonly keys: readonly ProofKey[];
}

describe.each(HOSTS)("PROOF-6 a proof over HTTP, %s", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
    await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
  });
  afterAll(() => host.close());

  const proofOf = (answer: CheckedAnswer): SignedProof => JSON.parse(answer.text) as SignedProof;
  const idOf = (answer: CheckedAnswer): string => String(answer.headers["operation-id"]);
  const prove = async (operationId: string): Promise<SignedProof> => {
    const answer = await admin.get(`/admin/operations/${operationId}/proof`);
    expect(answer.status, answer.text).toBe(200);
    return proofOf(answer);
  };
  const keys = async (): Promise<Keys> => {
    const answer = await host.call({ path: "/api/v1/proof-keys" });
    expect(answer.status).toBe(200);
    return JSON.parse(answer.text) as Keys;
  };

  it("is signed by a key that everybody may have, and holds without asking us", async () => {
    const operationId = idOf(await till.post("/payments", payment()));
    const answer = await admin.get(`/admin/operations/${operationId}/proof`);
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
    const proof = proofOf(answer);
    expect(proof).toMatchObject({
      format: PROOF_FORMAT,
      operationId,
      tenant: host.tenant,
      deployment: "http://localhost:3000",
      operation: { name: "payments.create", amount: "10.00", currency: "EUR", responseStatus: "201" },
      counts: { executions: "1", providerCallsSent: "1", events: "1" },
      // Nobody relays in this test.
      verdict: "open",
    });
    expect(Math.abs(Date.parse(proof.issuedAt) - Date.now())).toBeLessThan(60_000);
    const trusted = await keys();
    expect(trusted.keys).toEqual([
      {
        kty: "OKP",
        crv: "Ed25519",
        x: expect.stringMatching(/^[\w-]{43}$/) as unknown,
        kid: proof.signature.keyId,
        use: "sig",
        alg: "EdDSA",
      },
    ]);
    expect(await verifyProof(JSON.parse(answer.text), trusted)).toBe(true);
    for (const changed of [
      { ...proof, verdict: "proven" },
      { ...proof, tenant: "another" },
      { ...proof, counts: { ...proof.counts, ledgerEntries: "1" } },
      { ...proof, claims: proof.claims.filter(({ status }) => status === "holds") },
    ])
      expect(await verifyProof(changed, trusted)).toBe(false);
  });

  it("a decline proves that no money moved", async () => {
    const declined = await till.post("/payments", payment({ amount: "10.51" }));
    expect(declined.status).toBe(402);
    expect(await prove(idOf(declined))).toMatchObject({
      verdict: "proven",
      sentence: expect.stringMatching(/^No money moved\. The refusal is final\. /) as unknown,
      counts: { providerEffects: "0", events: "0", ledgerEntries: "0" },
    });
  });

  it("fails visibly when a second ledger entry is there", async () => {
    const operationId = idOf(await till.post("/payments", payment()));
    for (const entryType of ["payment", "correction"])
      await host.rows(
        `insert into payments.ledger_entries (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency)
         select tenant_id, gen_random_uuid(), $2, id, operation_id, 'customer:acc_1', 'merchant:acme', amount_minor, currency
         from payments.payments where operation_id = $1`,
        operationId,
        entryType,
      );
    const proof = await prove(operationId);
    expect(proof.verdict).toBe("broken");
    expect(proof.sentence).toMatch(/^Proof failed\. 2 ledger entries where 1 belongs\. /);
    expect(proof.claims.find((claim) => claim.name === "one_ledger_entry")).toMatchObject({
      expected: "1",
      counted: "2",
      status: "fails",
    });
    expect(await verifyProof(proof, await keys())).toBe(true);
  });

  it("needs the right to read operations, and an operation of the tenant", async () => {
    const operationId = idOf(await till.post("/payments", payment()));
    expect((await till.get(`/admin/operations/${operationId}/proof`)).status).toBe(403);
    expect((await host.call({ path: `/api/v1/admin/operations/${operationId}/proof` })).status).toBe(401);
    for (const id of [randomUUID(), "no-id"])
      expect((await admin.get(`/admin/operations/${id}/proof`)).json).toMatchObject({
        code: "operation.not_found",
        status: 404,
      });
    const other = await openTill(host, ["admin"], host.otherTenant);
    expect((await other.get(`/admin/operations/${operationId}/proof`)).status).toBe(404);
  });
});
