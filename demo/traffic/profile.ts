import { MONEY_VERSION } from "@/payments/commands";

/** How one kind of API client works: where its money comes from, how it names things and how it goes wrong. */
export interface TrafficProfile {
  readonly accounts: readonly string[];
  readonly currency: string;
  readonly channel: string;
  /** Wire: the HTTP routes or the mesh envelope. */
  readonly wire: "http" | "mesh";
  /** Version of the contract that it asks for; missing: the one that everybody gets. */
  readonly apiVersion?: string;
  readonly key: (order: number, dice: () => number) => string;
  readonly reference: (order: number) => string;
  readonly refundKey: (order: number, today: string) => string;
  /** What changes when it reuses a key for another command. */
  readonly reuse: readonly ReuseKind[];
  /** Typical amount in minor units; most are near it, some far above. */
  readonly typicalMinor: number;
  /** Refunds per payment, against other clients: a refund desk has more. */
  readonly refundShare: number;
}
export type ReuseKind = "ten-times" | "ten-times-minor" | "other-amount" | "reference" | "currency";

const TILLS = [1, 3, 7] as const;

function hex(dice: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(dice() * 16).toString(16)).join("");
}

const tillWeb: TrafficProfile = {
  accounts: ["acc_northgate_04", "acc_brandt_09", "acc_kite_01"],
  currency: "EUR",
  channel: "web",
  wire: "http",
  key: (order) => `till-${String(TILLS[order % TILLS.length])}-order-${String(order)}-pay-1`,
  reference: (order) => `order-${String(order)}`,
  refundKey: (order) => `rf-order-${String(order)}`,
  reuse: ["ten-times", "other-amount", "reference"],
  typicalMinor: 6_400,
  refundShare: 1,
};

const PROFILES: Readonly<Record<string, TrafficProfile>> = {
  "till-web": tillWeb,
  "till-ios": {
    ...tillWeb,
    accounts: ["acc_kite_02", "acc_brandt_10"],
    channel: "ios",
    wire: "mesh",
    key: (_order, dice) => `cart-${hex(dice, 8)}-${hex(dice, 4)}`,
    reference: (order) => `cart-order-${String(order)}`,
    reuse: ["other-amount"],
    typicalMinor: 2_900,
  },
  "partner-lumen": {
    ...tillWeb,
    accounts: ["acc_lumen_11", "acc_lumen_12"],
    channel: "partner",
    apiVersion: MONEY_VERSION,
    key: (order) => `lumen-pay-${String(order)}`,
    reference: (order) => `lumen-${String(order)}`,
    refundKey: (order, today) => `rf:${today}:${String(order)}`,
    reuse: ["ten-times-minor", "ten-times-minor", "ten-times-minor", "other-amount"],
    typicalMinor: 4_000,
    refundShare: 4,
  },
  "marketplace-eu": {
    ...tillWeb,
    accounts: ["acc_ostra_02", "acc_delmar_30"],
    channel: "marketplace",
    key: (_order, dice) => `mp-${hex(dice, 8)}-${hex(dice, 4)}-${hex(dice, 12)}`,
    reference: (order) => `mp-order-${String(order)}`,
    reuse: ["currency", "currency", "other-amount"],
    typicalMinor: 38_000,
  },
  "billing-cron": {
    ...tillWeb,
    accounts: ["acc_harbor_21", "acc_finch_07"],
    channel: "billing",
    key: (order) => `inv-${String(order)}`,
    reference: (order) => `invoice-${String(order)}`,
    reuse: ["reference"],
    typicalMinor: 54_000,
    refundShare: 0.3,
  },
};

/** @returns the profile of a known client; any other name works like a web till with accounts of its own. */
export function trafficProfile(name: string): TrafficProfile {
  const slug = name.replace(/[^a-z0-9]+/gi, "_").toLowerCase();
  return (
    PROFILES[name] ?? {
      ...tillWeb,
      accounts: [`acc_${slug}_01`, `acc_${slug}_02`],
      reference: (order) => `${name}-${String(order)}`,
      key: (order) => `${name}-order-${String(order)}-pay-1`,
    }
  );
}

/**
 * @param dice numbers in [0, 1)
 * @returns minor units; skewed like real baskets, never one that the sandbox declines.
 */
export function drawAmount(profile: TrafficProfile, dice: () => number): number {
  const spread = Math.exp((dice() + dice() + dice() - 1.5) * 1.6);
  const rare = dice() < 0.02 ? 12 : 1;
  const minor = Math.max(150, Math.round(profile.typicalMinor * spread * rare));
  const cents = dice() < 0.6 ? minor - (minor % 10) : minor;
  return cents % 100 === 51 ? cents + 1 : cents;
}
