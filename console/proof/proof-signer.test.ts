import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyProof, type ProofKey } from "@/client/verify-proof";
import { computeProof } from "@/presentation/proof/proof";
import type { SignedProof } from "@/presentation/proof/proof-statement";
import { PAID, paidFacts, requestWith } from "@/presentation/proof/testing/proof";
import { createProofSigner } from "./proof-signer";

const signer = createProofSigner("a secret of this test, long enough to be one");
const issuer = { deployment: "https://pay.example.com", tenant: "acme" };
// With every optional member, so that each of them is changed once.
const facts = paidFacts({
  request: requestWith({ errorCode: "none" }),
  notifications: {
    rows: [{ id: PAID.notificationId, key: `receipt_payment_${PAID.paymentId}`, kind: "receipt", state: "sent" }],
  },
  answers: { rows: [{ fence: 1, unreadable: "Its key was destroyed." }] },
  ledger: { rows: [...paidFacts().ledger.rows, ...paidFacts().ledger.rows] },
});
const proof = signer.sign(computeProof(facts, issuer).statement);
const copy = (): SignedProof => JSON.parse(JSON.stringify(proof)) as SignedProof;

type Path = readonly (string | number)[];
/** The place of every member and every item of a document. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, member]) => places(member, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}
function at(document: unknown, path: Path): Record<string | number, unknown> {
  let here = document as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) here = here[name] as Record<string | number, unknown>;
  return here;
}
const last = (path: Path): string | number => path.at(-1) ?? "";

describe("PROOF-6 the signature of a proof", () => {
  it("holds for the proof as it is, in any order of members and any white space", async () => {
    expect(await verifyProof(proof, signer.jwk)).toBe(true);
    const turned = Object.fromEntries(Object.entries(copy()).reverse());
    expect(await verifyProof(JSON.parse(JSON.stringify(turned, undefined, 4)), signer.jwk)).toBe(true);
  });

  it("is the same in every process of a deployment, and another one with another secret", async () => {
    const again = createProofSigner("a secret of this test, long enough to be one");
    expect(again.sign(computeProof(facts, issuer).statement)).toEqual(proof);
    const other = createProofSigner("another secret, long enough to be one, too");
    expect(other.jwk.kid).not.toBe(signer.jwk.kid);
    expect(await verifyProof(proof, other.jwk)).toBe(false);
    expect(await verifyProof(proof, { keys: [other.jwk, signer.jwk] })).toBe(true);
    expect(await verifyProof({ ...copy(), signature: { ...proof.signature, keyId: other.jwk.kid } }, other.jwk)).toBe(
      false,
    );
  });

  it("fails for each member that is changed, taken away or added to", async () => {
    const all = places(proof);
    expect(all.length).toBeGreaterThan(150);
    for (const path of all) {
      const [changed, without] = [copy(), copy()];
      const value = at(changed, path)[last(path)];
      at(changed, path)[last(path)] = typeof value === "string" ? `${value}x` : "x";
      const place = at(without, path);
      if (Array.isArray(place)) place.splice(Number(last(path)), 1);
      else Reflect.deleteProperty(place, last(path));
      expect(await verifyProof(changed, signer.jwk), `changed ${path.join(".")}`).toBe(false);
      expect(await verifyProof(without, signer.jwk), `without ${path.join(".")}`).toBe(false);
      if (typeof value === "object") {
        const added = copy();
        const inner = at(added, path)[last(path)];
        if (Array.isArray(inner)) inner.push("x");
        else Object.assign(inner as object, { added: "x" });
        expect(await verifyProof(added, signer.jwk), `added to ${path.join(".")}`).toBe(false);
      }
    }
  });

  it("fails for every other last character of its value: one signature has one text", async () => {
    const { value } = proof.signature;
    for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/") {
      const text = value.slice(0, -1) + character;
      if (text === value) continue;
      expect(await verifyProof({ ...copy(), signature: { ...proof.signature, value: text } }, signer.jwk)).toBe(false);
    }
  });

  it("is false for what is no proof", async () => {
    const deep = JSON.parse(`${"[".repeat(9_000)}${"]".repeat(9_000)}`) as unknown;
    for (const thing of [
      undefined,
      null,
      "proof",
      1,
      [],
      {},
      { signature: {} },
      { ...copy(), deep },
      { ...copy(), n: 1n },
      { ...copy(), f: () => 1 },
    ])
      expect(await verifyProof(thing, signer.jwk)).toBe(false);
    const key: ProofKey = { ...signer.jwk, x: "AA" };
    expect(await verifyProof(proof, key)).toBe(false);
  });

  it("holds for any text in it: both sides write the same bytes", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, text, async (key, account) => {
        const odd = computeProof(paidFacts({ request: requestWith({ key, client: account }) }), {
          ...issuer,
          tenant: key,
        });
        const signed = signer.sign(odd.statement);
        expect(await verifyProof(JSON.parse(JSON.stringify(signed)), signer.jwk)).toBe(true);
        expect(await verifyProof({ ...signed, tenant: `${key} ` }, signer.jwk)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});
