import { formatCount } from "../format/display-time";
import { displayMoney, minorDigits } from "@/domain/money";
import { rolesOf } from "@/domain/access/permission";
import { APPROVAL_AMOUNT_UNITS, PLAN_RULES, type PlanKindName, type PlanPart } from "@/domain/plans/plan";

/** What the same person may let act alone besides, in other plans of the kind. */
export type OtherPlans = PlanPart & { readonly plans: number };
const NO_OTHERS: OtherPlans = { plans: 0, acting: 0, amounts: [] };

/**
 * Why a second person has to agree: by count and by money per currency, each with how much is over.
 * @param others what the same person may let act alone besides, of this kind
 * @returns whole sentences; undefined: nobody has to
 */
export function approvalNeeded(kind: PlanKindName, here: PlanPart, others: OtherPlans = NO_OTHERS): string | undefined {
  const sentences = [rowsOver(kind, here.acting, others)];
  for (const { currency, minor } of PLAN_RULES[kind].countsMoney ? here.amounts : [])
    sentences.push(moneyOver(currency, minor, others));
  const kept = sentences.filter((sentence) => sentence !== undefined);
  return kept.length === 0 ? undefined : kept.join(" ");
}

/** "2 more plans that the same person has ready or ran in the last hour". */
function othersWords({ plans }: OtherPlans): string {
  return `${formatCount(plans)} more ${plans === 1 ? "plan" : "plans"} that the same person has ready or ran in the last hour`;
}

function rowsOver(kind: PlanKindName, acting: number, others: OtherPlans): string | undefined {
  const alone = PLAN_RULES[kind].approvalFrom - 1;
  const together = acting + others.acting;
  if (acting === 0 || together <= alone) return undefined;
  const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? "row" : "rows"}`;
  const what =
    acting > alone
      ? `${rows(acting)} would act`
      : `${rows(acting)} here and ${formatCount(others.acting)} in ${othersWords(others)} make ${formatCount(together)}`;
  const over = (acting > alone ? acting : together) - alone;
  return `${what}: ${formatCount(over)} more than the ${formatCount(alone)} that one person may let act alone.`;
}

function moneyOver(currency: string, minor: bigint, others: OtherPlans): string | undefined {
  const limit = APPROVAL_AMOUNT_UNITS * 10n ** BigInt(minorDigits(currency));
  const beside = others.amounts.find((amount) => amount.currency === currency)?.minor ?? 0n;
  const together = minor + beside;
  if (together < limit) return undefined;
  const money = (value: bigint): string => displayMoney(value, currency);
  const what =
    minor >= limit
      ? `${money(minor)} is at stake`
      : `${money(minor)} here and ${money(beside)} in ${othersWords(others)} make ${money(together)}`;
  const over = (minor >= limit ? minor : together) - limit;
  return over === 0n
    ? `${what}: from that amount on two people decide.`
    : `${what}: ${money(over)} above ${money(limit)}, from which two people decide.`;
}

/** Who may agree, by the policy: "An approver or an admin, but not Ada, who asked." @param plan who asked, by name */
export function whoMayAgree({ createdBy: by, byKey }: { readonly createdBy: string; readonly byKey: boolean }): string {
  const roles = rolesOf("plans.decide").map((role) => `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`);
  const text = roles.join(" or ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}, but not ${by}, who asked${byKey ? ", nor anybody who made a key of it" : ""}.`;
}
