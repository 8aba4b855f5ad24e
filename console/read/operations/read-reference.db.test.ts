import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { referenceMaker } from "@/console/testing/make-reference";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { findReferences } from "./find-references";
import { readReference, REFERENCE_KEYS } from "./read-reference";

const PAID = { amountMinor: 8_450n, currency: "EUR" } as const;

let desk: Desk;
let make: ReturnType<typeof referenceMaker>;
beforeAll(async () => {
  desk = await openDesk();
  make = referenceMaker(desk);
});
afterAll(() => desk.close());

const read = (reference: string, customer?: string, tenant = "acme") =>
  readReference(desk.context("viewer", tenant), { reference, customer });

describe("REFERENCE-2 everything under one reference", () => {
  it("has keys, requests, refunds, webhooks and ledger entries as lanes and as a table", async () => {
    const of = { ...PAID, reference: "order-all", account: "acc_all" };
    const paid = await make.key("charged_conflict", of);
    await make.key("refused_duplicate", of);
    await make.refund("refunded", paid, 2_000n);
    const inboxId = await make.webhook(paid, "succeeded");
    await make.webhook(paid, "succeeded");
    const view = await read("order-all");
    expect(view?.verdict.text).toBe("Charged once: 1 of 2 keys moved money.");
    expect(view?.lanes.map(({ name, result, note }) => [name, result.text, note])).toEqual([
      ["Key 1", "+€84.50", "2 requests, 1 of another command"],
      ["Key 2", "nothing", "1 request, refused"],
      ["Refund", "−€20.00", "no answer on record"],
      ["Webhooks", "agree", "1 received, 1 duplicate"],
    ]);
    expect(view?.chart.ledger).toMatchObject({ result: "€64.50", note: "2 entries" });
    expect(view?.totals).toMatchObject([
      { charged: { minor: "8450" }, returned: { minor: "2000" }, stays: { minor: "6450" } },
    ]);
    expect(view?.events.filter(({ lane }) => lane === "webhooks").map(({ glyph, href }) => [glyph, href])).toEqual([
      ["recorded", `/inbox/${inboxId}`],
      ["duplicate", `/inbox/${inboxId}`],
    ]);
    const lines = view?.chart.lanes.map(({ lines: all }) => all.map(({ kind }) => kind));
    expect(lines).toEqual([["solid"], [], ["solid"], ["confirms"]]);
  });

  it("knows nothing of another tenant, of half a reference, and of what no reference can be", async () => {
    await make.key("charged", { ...PAID, reference: "order-ours", account: "acc_ours" });
    expect(await read("order-ours")).toBeDefined();
    expect(await read("order-ours", undefined, "globex")).toBeUndefined();
    for (const reference of ["order-our", "", "order\u0000ours", "x".repeat(400)])
      expect(await read(reference)).toBeUndefined();
  });

  it("reads sixty keys and says that there are more; no text is given then, and no upper bound", async () => {
    const reference = "order-many";
    await make.key("charged", { ...PAID, reference, account: "acc_many" });
    await desk.rows(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
         state, error_code, body_day, account_id, reference, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       select 'acme', 'payments.create', 'many-' || n, gen_random_uuid(), 'till-web', '\\x00', 1, '1', 'FAILED_REPLAYABLE', 'payment.duplicate_reference',
         current_date, 'acc_many', $1, 8450, 'EUR', now() + make_interval(secs => n), now(), now(), now() from generate_series(1, 200) n`,
      reference,
    );
    const view = await read(reference);
    expect(view?.lanes.filter(({ kind }) => kind === "payment")).toHaveLength(REFERENCE_KEYS);
    expect(view?.verdict.text).toBe("Charged at least once: 1 of the first 60 keys moved money.");
    expect(view?.cut).toEqual(["More keys carry this reference: only the first 60 were read."]);
    expect(view?.customerText).toBeUndefined();
    expect(view?.chart.lanes.length).toBeLessThanOrEqual(12);
    expect(view?.chart.folded).toBe(48);
  });

  it("does not say that nothing was charged because a key is gone: its payment is kept", async () => {
    const of = { ...PAID, reference: "order-old", account: "acc_old" };
    const old = await make.key("charged", of);
    await make.key("refused_duplicate", of);
    await desk.rows("delete from onceboard.idempotency_requests where operation_id = $1", old.operationId);
    const view = await read("order-old");
    expect(view?.verdict.text).toBe("Charged once: 1 of 2 keys moved money.");
    expect(view?.lanes.find(({ operationId }) => operationId === old.operationId)).toMatchObject({
      detail: "key deleted since",
      result: { text: "+€84.50" },
    });
    await desk.rows("delete from onceboard.idempotency_requests where reference = 'order-old'");
    expect(await read("order-old")).toBeUndefined();
    expect((await read("order-old", "acc_old"))?.verdict.text).toBe("Charged once: its only key moved money.");
  });

  it("is of payments: the id of a payment, which only keys of its refunds carry, is none", async () => {
    const paid = await make.key("charged", { ...PAID, reference: "order-refunded", account: "acc_refunded" });
    await make.refund("refunded", paid, 1_000n);
    const [refund] = await desk.rows<{ reference: string }>(
      "select reference from onceboard.idempotency_requests where operation = 'refunds.create' order by created_at desc limit 1",
    );
    expect(refund?.reference).toBe(paid.paymentId);
    expect(await read(paid.paymentId)).toBeUndefined();
  });

  it("counts a key that moves no money apart", async () => {
    await make.key("charged", { ...PAID, reference: "order-shared", account: "acc_shared" });
    await desk.rows(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
         state, body_day, reference, created_at, updated_at, expires_at, purge_after)
       values ('acme', 'orders.place', 'o-1', $1, 'shop', '\\x00', 1, '1', 'COMPLETED', current_date, 'order-shared', now(), now(), now(), now())`,
      uuidv7(),
    );
    const view = await read("order-shared");
    expect(view?.verdict.text).toBe(
      "Charged once: its only key moved money. 1 key of another kind carries it too and is not counted.",
    );
  });
});

describe("a reference by customer, amount and day", () => {
  const find = (filters: Parameters<typeof findReferences>[1], tenant = "acme") =>
    findReferences(desk.context("viewer", tenant), filters);
  const today = new Date().toISOString().slice(0, 10);

  it("finds it by any of customer and amount, within a day", async () => {
    const of = { reference: "order-found", account: "acc_found", amountMinor: 777_123n, currency: "EUR" };
    await make.key("charged", of);
    await make.key("refused_duplicate", of);
    const hit = {
      reference: "order-found",
      customer: "acc_found",
      keys: 2,
      href: "/references/order-found?customer=acc_found",
    };
    for (const filters of [
      { customer: "acc_found" },
      { amount: "7,771.23 EUR" },
      { amount: "€7,771.23", customer: "acc_found", day: today },
      // Without its currency it is read with two decimals.
      { amount: "7771.23" },
    ])
      expect(await find(filters)).toMatchObject({ kind: "found", hits: [hit], more: false });
    for (const filters of [
      { customer: "acc_nobody", amount: "7771.23" },
      { amount: "7771.23 USD" },
      { customer: "acc_found", day: "2020-01-01" },
      { customer: "acc_foun" },
      { day: today },
    ])
      expect(await find(filters)).toMatchObject({ kind: "found", hits: [] });
    expect(await find({ customer: "acc_found" }, "globex")).toMatchObject({ hits: [] });
  });

  it("says where it stopped", async () => {
    await desk.rows(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
         state, body_day, account_id, reference, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       select 'acme', 'payments.create', 'busy-' || n, gen_random_uuid(), 'till-web', '\\x00', 1, '1', 'COMPLETED', current_date, 'acc_busy', 'busy-' || n,
         n, 'EUR', now(), now(), now(), now() from generate_series(1, 600) n`,
    );
    expect(await find({ customer: "acc_busy" })).toMatchObject({ lookedAt: 500, more: true });
  });
});
