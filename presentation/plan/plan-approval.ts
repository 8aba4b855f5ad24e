import { moneyView } from "../operation/money-view";
import type { MoneyView } from "../views/common";
import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import { displayMoney, minorDigits } from "@/domain/money";
import { rolesOf } from "@/domain/access/permission";
import { APPROVAL_AMOUNT_UNITS, PLAN_RULES, type PlanKindName, type PlanPart } from "@/domain/plans/plan";

/** What the same person may let act alone besides, in other plans of the kind. */
export type OtherPlans = PlanPart & {
  readonly plans: number;
  /** Rows that the same person acted on one by one. */
  readonly singles: number;
};
const NO_OTHERS: OtherPlans = { plans: 0, singles: 0, acting: 0, amounts: [] };

/**
 * Why a second person has to agree: by count and by money per currency, each with how much is over.
 * @param others what the same person may let act alone besides, of this kind
 * @returns whole sentences; undefined: nobody has to
 */
export function approvalNeeded(kind: PlanKindName, here: PlanPart, others: OtherPlans = NO_OTHERS): string | undefined {
  const amounts = PLAN_RULES[kind].countsMoney ? here.amounts : [];
  const sentences = [
    ...claimWords(ROWS_OVER_CLAIMS, { alone: PLAN_RULES[kind].approvalFrom - 1, acting: here.acting, others }),
    ...amounts.flatMap((amount) => claimWords(MONEY_OVER_CLAIMS, moneyBeside(amount, others))),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** "2 more plans that the same person has ready or ran in the last hour", and what they did without a plan. */
function othersWords({ plans, singles }: OtherPlans): string {
  const planned = `${formatCount(plans)} more ${plans === 1 ? "plan" : "plans"} that the same person has ready or ran in the last hour`;
  if (singles === 0) return planned;
  if (plans === 0) return "single acts of the same person in the last hour";
  return `${planned}, with ${formatCount(singles)} single ${singles === 1 ? "act" : "acts"} of theirs,`;
}

/** Rows that would act here and in other plans of the same person; `alone`: the most that one person may let act. */
interface RowsBeside {
  readonly alone: number;
  readonly acting: number;
  readonly others: OtherPlans;
}

const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? "row" : "rows"}`;
const moreText = (over: number, alone: number): string =>
  `${formatCount(over)} more than the ${formatCount(alone)} that one person may let act alone`;

/** Why a second person has to agree by the count of rows. */
export const ROWS_OVER_CLAIMS: readonly PageClaim<RowsBeside>[] = [
  {
    name: "rows over",
    holds: ({ acting, alone }) => acting > alone,
    words: ({ acting, alone }) => `${rows(acting)} would act: ${moreText(acting - alone, alone)}.`,
  },
  {
    name: "rows over together",
    holds: ({ acting, alone, others }) => acting > 0 && acting <= alone && acting + others.acting > alone,
    words: ({ acting, alone, others }) => {
      const together = acting + others.acting;
      return `${rows(acting)} here and ${formatCount(others.acting)} in ${othersWords(others)} make ${formatCount(together)}: ${moreText(together - alone, alone)}.`;
    },
  },
];

/** Money of one currency here and in other plans of the same person, minor units. */
interface MoneyBeside {
  readonly currency: string;
  readonly minor: bigint;
  readonly beside: bigint;
  readonly limit: bigint;
  readonly others: OtherPlans;
}

function moneyBeside({ currency, minor }: PlanPart["amounts"][number], others: OtherPlans): MoneyBeside {
  const limit = APPROVAL_AMOUNT_UNITS * 10n ** BigInt(minorDigits(currency));
  const beside = others.amounts.find((amount) => amount.currency === currency)?.minor ?? 0n;
  return { currency, minor, beside, limit, others };
}

/** @returns from which amount two people decide, where the money of a row alone is as much */
export function secondPersonLimit(row: {
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
}): MoneyView | undefined {
  const { amountMinor: minor, currency } = row;
  if (minor === undefined || currency === undefined) return undefined;
  const beside = moneyBeside({ minor, currency }, NO_OTHERS);
  return overHere(beside) ? moneyView(beside.limit, currency) : undefined;
}

const overHere = ({ minor, limit }: MoneyBeside): boolean => minor >= limit;
const together = ({ minor, beside }: MoneyBeside): bigint => minor + beside;
const atStake = ({ minor, currency }: MoneyBeside): string => `${displayMoney(minor, currency)} is at stake`;
const inAll = (it: MoneyBeside): string =>
  `${displayMoney(it.minor, it.currency)} here and ${displayMoney(it.beside, it.currency)} in ${othersWords(it.others)} make ${displayMoney(together(it), it.currency)}`;
const aboveText = (amount: bigint, { limit, currency }: MoneyBeside): string =>
  `${displayMoney(amount - limit, currency)} above ${displayMoney(limit, currency)}, from which two people decide`;

/** Why a second person has to agree by the money of one currency. */
export const MONEY_OVER_CLAIMS: readonly PageClaim<MoneyBeside>[] = [
  {
    name: "at the limit",
    holds: ({ minor, limit }) => minor === limit,
    words: (it) => `${atStake(it)}: from that amount on two people decide.`,
  },
  {
    name: "above the limit",
    holds: ({ minor, limit }) => minor > limit,
    words: (it) => `${atStake(it)}: ${aboveText(it.minor, it)}.`,
  },
  {
    name: "at the limit together",
    holds: (it) => !overHere(it) && together(it) === it.limit,
    words: (it) => `${inAll(it)}: from that amount on two people decide.`,
  },
  {
    name: "above the limit together",
    holds: (it) => !overHere(it) && together(it) > it.limit,
    words: (it) => `${inAll(it)}: ${aboveText(together(it), it)}.`,
  },
];

/** Who else is no second person for what somebody asked. */
export interface NotSecond {
  /** Names of those who count as the same person, the first few. */
  readonly tied: readonly string[];
  /** How many more of them. */
  readonly more: number;
  /** A key that names no holder asked, so nobody is one. */
  readonly anybody: boolean;
}

/** Who asked for a plan. */
interface Asker {
  /** By name. */
  readonly createdBy: string;
  /** With a key of a client. */
  readonly byKey: boolean;
  /** While it waits. */
  readonly notSecond?: NotSecond | undefined;
}

/** ", nor Ben and Cleo, who count as the same person". */
function tiedText({ notSecond }: Asker): string {
  if (notSecond === undefined || notSecond.tied.length === 0) return "";
  const { tied, more } = notSecond;
  const names = more === 0 ? tied : [...tied, `${formatCount(more)} more`];
  const list = names.length === 1 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
  return `, nor ${list}, who ${tied.length + more === 1 ? "counts" : "count"} as the same person`;
}

const mayAgree = (): string => {
  const text = rolesOf("plans.decide")
    .map((role) => `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`)
    .join(" or ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** Who may agree, by the policy: the first that holds. */
export const MAY_AGREE_CLAIMS: readonly PageClaim<Asker>[] = [
  {
    name: "asked by anybody",
    holds: ({ notSecond }) => notSecond?.anybody === true,
    words: ({ createdBy }) =>
      `Nobody: ${createdBy} asked with a key that names no holder, so that anybody may have asked.`,
  },
  {
    name: "asked with a key",
    holds: ({ byKey }) => byKey,
    words: (asker) =>
      `${mayAgree()}, but not ${asker.createdBy}, who asked, nor anybody who made or holds a key of it${tiedText(asker)}.`,
  },
  {
    name: "asked by a person",
    holds: ({ byKey }) => !byKey,
    words: (asker) => `${mayAgree()}, but not ${asker.createdBy}, who asked${tiedText(asker)}.`,
  },
];

/** Who may agree, by the policy: "An approver or an admin, but not Ada, who asked." @param asker of the plan */
export function whoMayAgree(asker: Asker): string {
  return firstWords(MAY_AGREE_CLAIMS, asker);
}
