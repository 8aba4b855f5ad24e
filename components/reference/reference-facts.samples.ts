import { SAMPLE_NOW } from "@/components/parts/part";
import type {
  MoneyKeyFacts,
  LedgerFacts,
  ReferenceFacts,
  RequestFacts,
  WebhookFacts,
} from "@/presentation/reference/facts";
import { referenceView } from "@/presentation/reference/reference-view";
import type { ReferenceView } from "@/presentation/views/references";

const id = (n: number): string => `01a1f365-0000-7000-8000-${String(n).padStart(12, "0")}`;
const at = (clock: string): string => `2026-11-22T${clock}.000000Z`;
const EUR = (minor: bigint) => ({ minor, currency: "EUR" });

function request(
  n: number,
  clock: string,
  outcome: RequestFacts["outcome"],
  status: number,
  differs: readonly string[] = [],
): RequestFacts {
  return { id: id(n), at: at(clock), outcome, client: "till-web", status, differingFields: differs };
}

function entry(n: number, entryType: LedgerFacts["entryType"], minor: bigint, clock: string): LedgerFacts {
  return { id: id(n), entryType, ...EUR(minor), postedAt: at(clock) };
}

function hook(n: number, type: string, clock: string, changes: Partial<WebhookFacts> = {}): WebhookFacts {
  return {
    id: id(n),
    source: "northpay",
    type,
    state: "processed",
    at: at(clock),
    says: "succeeded",
    otherMoney: false,
    duplicates: 0,
    duplicatesAt: [],
    ...changes,
  };
}

/** A key with nothing behind it. */
export function sampleEffect(n: number, changes: Partial<MoneyKeyFacts> = {}): MoneyKeyFacts {
  return {
    kind: "payment",
    operationId: id(n),
    key: `till-3-order-22700830-pay-${String(n)}`,
    state: "FAILED_REPLAYABLE",
    client: "till-web",
    account: "acc_brandt_09",
    money: EUR(8_450n),
    calls: [],
    webhooks: [],
    ledger: [],
    requests: [],
    moreRequests: false,
    createdAt: at("10:41:07"),
    expiresAt: "2026-11-23T10:42:00.000000Z",
    ...changes,
  };
}

export const CHARGED = sampleEffect(1, {
  state: "COMPLETED",
  status: "succeeded",
  calls: [
    {
      kind: "charge",
      provider: "sandbox",
      state: "answered",
      outcome: "succeeded",
      reference: "np_1",
      at: at("10:41:08"),
    },
  ],
  requests: [
    request(11, "10:41:07", "executed", 201),
    request(12, "10:41:18", "replayed", 201),
    request(13, "10:41:31", "replayed", 201),
    request(14, "10:42:02", "conflict", 409, ["amount"]),
  ],
  ledger: [entry(15, "payment", 8_450n, "10:41:09")],
  webhooks: [hook(16, "charge.succeeded", "10:41:10", { duplicates: 1, duplicatesAt: [at("10:41:37")] })],
});
/** The same again under another key. */
export const CHARGED_AGAIN = sampleEffect(5, {
  state: "COMPLETED",
  status: "succeeded",
  createdAt: at("12:00:00"),
  calls: [
    {
      kind: "charge",
      provider: "sandbox",
      state: "answered",
      outcome: "succeeded",
      reference: "np_2",
      at: at("12:00:01"),
    },
  ],
  requests: [request(51, "12:00:00", "executed", 201)],
  ledger: [entry(52, "payment", 8_450n, "12:00:02")],
});
const REFUSED = sampleEffect(2, {
  errorCode: "payment.duplicate_reference",
  createdAt: at("10:42:15"),
  requests: [request(21, "10:42:15", "executed", 409), request(22, "10:42:21", "replayed", 409)],
});
const REFUNDED = sampleEffect(3, {
  kind: "refund",
  key: "rf-22700830-1",
  state: "COMPLETED",
  status: "succeeded",
  money: EUR(2_000n),
  createdAt: at("13:20:44"),
  calls: [
    {
      kind: "refund",
      provider: "sandbox",
      state: "answered",
      outcome: "succeeded",
      reference: "rf_1",
      at: at("13:20:45"),
    },
  ],
  requests: [request(31, "13:20:44", "executed", 201), request(32, "13:20:52", "replayed", 201)],
  ledger: [entry(33, "refund", 2_000n, "13:20:46")],
  webhooks: [hook(34, "refund.succeeded", "13:20:49")],
});
export const IN_DOUBT = sampleEffect(2, {
  state: "UNKNOWN_REQUIRES_RECOVERY",
  createdAt: at("14:02:09"),
  nextCheckAt: at("14:45:00"),
  calls: [{ kind: "charge", provider: "sandbox", state: "answered", outcome: "indefinite", at: at("14:02:19") }],
  requests: [request(21, "14:02:09", "unknown", 504), request(22, "14:02:40", "unknown", 409)],
});

export function sampleReference(
  changes: Partial<ReferenceFacts> = {},
  role: Parameters<typeof referenceView>[1] = "operator",
): ReferenceView {
  const facts = {
    at: SAMPLE_NOW,
    reference: "order-22700830",
    payments: [CHARGED, REFUSED],
    reversals: [REFUNDED],
    otherKinds: [],
    more: { keys: false, reversals: false },
    ...changes,
  };
  return referenceView(facts, role);
}

const LONG = "n".repeat(200);

/** Sixty keys, names of 200 characters, amounts of 15 digits. */
export function muchReference(): ReferenceView {
  const big = { money: EUR(999_999_999_999_999n), key: LONG, account: LONG };
  const refused = Array.from({ length: 57 }, (_, index) =>
    sampleEffect(100 + index, {
      ...big,
      errorCode: "payment.duplicate_reference",
      createdAt: at(`11:${String(index).padStart(2, "0")}:00`),
      requests: [request(1_000 + index, `11:${String(index).padStart(2, "0")}:00`, "executed", 409)],
    }),
  );
  const requests = Array.from({ length: 24 }, (_, n) =>
    request(2_000 + n, "10:41:07", n === 0 ? "executed" : "replayed", 201),
  );
  return sampleReference({
    reference: LONG,
    payments: [
      {
        ...CHARGED,
        ...big,
        requests,
        moreRequests: true,
        ledger: [entry(15, "payment", 999_999_999_999_999n, "10:41:09")],
      },
      ...refused,
      { ...IN_DOUBT, ...big },
      { ...CHARGED_AGAIN, ...big, ledger: [entry(53, "payment", 999_999_999_999_999n, "12:00:01")] },
    ],
    more: { keys: true, reversals: false },
  });
}
