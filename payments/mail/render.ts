import { z } from "zod";

export interface MailContent {
  readonly subject: string;
  readonly text: string;
}

type Compose = (detail: unknown, date: string) => MailContent | undefined;

const EFFECT = {
  payment: { title: "Receipt", line: "We received your payment of" },
  refund: { title: "Refund", line: "We gave back to you" },
} as const;

/** A mail by the detail that its notification keeps; nothing else of the event is kept. */
const MAILS: Readonly<Record<string, Compose>> = {
  receipt: composed(
    {
      accountId: z.string(),
      effect: z.enum(["payment", "refund"]),
      sourceId: z.string(),
      amount: z.string(),
      currency: z.string(),
    },
    ({ effect, amount, currency, accountId, sourceId }, date) => [
      `${EFFECT[effect].title}: ${amount} ${currency}`,
      `${EFFECT[effect].line} ${amount} ${currency}.`,
      "",
      `Account:   ${accountId}`,
      `Reference: ${sourceId}`,
      `Date:      ${date}`,
    ],
  ),
  notice: composed({ accountId: z.string(), defaultCurrency: z.string() }, ({ accountId, defaultCurrency }, date) => [
    `Your account uses ${defaultCurrency} now`,
    `The default currency of your account is ${defaultCurrency} from now on.`,
    "",
    `Account:   ${accountId}`,
    `Date:      ${date}`,
  ]),
};

/**
 * @param kind of the notification @param detail as it was kept @param at when it was kept
 * @returns what is sent, or undefined for a kind or a detail that no mail is known for
 */
export function renderMail(kind: string, detail: unknown, at: Date): MailContent | undefined {
  return MAILS[kind]?.(detail, at.toISOString().slice(0, 10));
}

/** @param write the subject, then the lines of the text */
function composed<Shape extends z.ZodRawShape>(
  shape: Shape,
  write: (detail: z.output<z.ZodObject<Shape>>, date: string) => readonly [string, ...string[]],
): Compose {
  const known = z.object(shape);
  return (detail, date) => {
    const parsed = known.safeParse(detail);
    if (!parsed.success) return undefined;
    const [subject, ...lines] = write(parsed.data, date);
    return { subject, text: `${lines.join("\n")}\n` };
  };
}
