import { z } from "zod";

/** What a receipt tells; nothing else of the event is kept. */
const receiptDetail = z.object({
  accountId: z.string(),
  effect: z.enum(["payment", "refund"]),
  sourceId: z.string(),
  amount: z.string(),
  currency: z.string(),
});

const noticeDetail = z.object({ accountId: z.string(), defaultCurrency: z.string() });

export interface MailContent {
  readonly subject: string;
  readonly text: string;
}

const EFFECT = {
  payment: { title: "Receipt", line: "We received your payment of" },
  refund: { title: "Refund", line: "We gave back to you" },
} as const;

/**
 * @param kind of the notification @param detail as it was kept @param at when it was kept
 * @returns what is sent, or undefined for a kind or a detail that no mail is known for
 */
export function renderMail(kind: string, detail: unknown, at: Date): MailContent | undefined {
  switch (kind) {
    case "receipt": {
      const parsed = receiptDetail.safeParse(detail);
      return parsed.success ? receipt(parsed.data, at) : undefined;
    }
    case "notice": {
      const parsed = noticeDetail.safeParse(detail);
      return parsed.success ? notice(parsed.data, at) : undefined;
    }
    default:
      return undefined;
  }
}

function receipt(
  { effect, amount, currency, accountId, sourceId }: z.output<typeof receiptDetail>,
  at: Date,
): MailContent {
  const { title, line } = EFFECT[effect];
  return {
    subject: `${title}: ${amount} ${currency}`,
    text: lines([
      `${line} ${amount} ${currency}.`,
      "",
      `Account:   ${accountId}`,
      `Reference: ${sourceId}`,
      `Date:      ${dayOf(at)}`,
    ]),
  };
}

function notice({ accountId, defaultCurrency }: z.output<typeof noticeDetail>, at: Date): MailContent {
  return {
    subject: `Your account uses ${defaultCurrency} now`,
    text: lines([
      `The default currency of your account is ${defaultCurrency} from now on.`,
      "",
      `Account:   ${accountId}`,
      `Date:      ${dayOf(at)}`,
    ]),
  };
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
