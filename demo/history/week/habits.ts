/** How the clients of the seeded week work: the same names and ways as the live traffic after it. */
export interface Habit {
  readonly name: string;
  /** Of 100 requests. */
  readonly share: number;
  readonly accounts: readonly string[];
  /** SQL text of a payment's key and reference from its order number `o` and number `n`. */
  readonly key: string;
  readonly reference: string;
  readonly typicalMinor: number;
  /** Of 10,000 payments: sent again at least once, refused because the key stood for another command. */
  readonly retried: number;
  readonly conflicting: number;
  readonly conflictField: string;
  /** Before the first retry. */
  readonly retryMs: number;
}

export const HABITS: readonly Habit[] = [
  {
    name: "till-web",
    share: 28,
    accounts: ["acc_northgate_04", "acc_brandt_09", "acc_kite_01"],
    key: "'till-' || (array[1, 3, 7])[1 + n % 3] || '-order-' || o || '-pay-1'",
    reference: "'order-' || o",
    typicalMinor: 6_400,
    retried: 1_400,
    conflicting: 60,
    conflictField: "amount",
    retryMs: 900,
  },
  {
    name: "till-ios",
    share: 26,
    accounts: ["acc_kite_02", "acc_brandt_10"],
    key: "'cart-' || left(md5('cart' || n), 8) || '-' || o",
    reference: "'cart-order-' || o",
    typicalMinor: 2_900,
    retried: 2_400,
    conflicting: 40,
    conflictField: "amount",
    retryMs: 450,
  },
  {
    name: "partner-lumen",
    share: 24,
    accounts: ["acc_lumen_11", "acc_lumen_12"],
    key: "'lumen-pay-' || o",
    reference: "'lumen-' || o",
    typicalMinor: 4_000,
    retried: 3_200,
    conflicting: 180,
    conflictField: "amount",
    retryMs: 90,
  },
  {
    name: "billing-cron",
    share: 22,
    accounts: ["acc_harbor_21", "acc_finch_07"],
    key: "'inv-' || o",
    reference: "'invoice-' || o",
    typicalMinor: 54_000,
    retried: 500,
    conflicting: 20,
    conflictField: "merchantReference",
    retryMs: 30_000,
  },
];

/** Of the second tenant: few clients, and nothing that goes wrong with them. */
export const QUIET_HABITS: readonly Habit[] = [
  {
    name: "marketplace-eu",
    share: 60,
    accounts: ["acc_ostra_02", "acc_delmar_30"],
    key: "'mp-' || left(md5('mp' || n), 8) || '-' || o",
    reference: "'mp-order-' || o",
    typicalMinor: 38_000,
    retried: 900,
    conflicting: 30,
    conflictField: "amount",
    retryMs: 2_000,
  },
  {
    name: "till-counter",
    share: 40,
    accounts: ["acc_till_counter_01", "acc_till_counter_02"],
    key: "'till-counter-order-' || o || '-pay-1'",
    reference: "'till-counter-' || o",
    typicalMinor: 6_400,
    retried: 1_400,
    conflicting: 50,
    conflictField: "amount",
    retryMs: 900,
  },
];

/** Clients of a tenant, as SQL. */
export interface Crowd {
  /** @returns SQL that picks a value by the client's name in `column` */
  byClient(column: string, value: (habit: Habit) => string): string;
  /** @returns SQL of a client's name from a roll of 10,000 */
  ofRoll(roll: string): string;
}

export function crowdOf(habits: readonly Habit[]): Crowd {
  return {
    byClient: (column, value) =>
      `case ${column} ${habits.map((habit) => `when '${habit.name}' then ${value(habit)}`).join(" ")} end`,
    ofRoll(roll) {
      let below = 0;
      return `case ${habits.map(({ name, share }) => `when ${roll} < ${String((below += share) * 100)} then '${name}'`).join(" ")} end`;
    },
  };
}
