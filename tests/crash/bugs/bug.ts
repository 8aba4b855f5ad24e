import type { PaymentProvider } from "@/payments/provider/port";
import type { CallResult } from "../oracles/recorder";
import type { ChildPlace } from "../child/protocol";
import type { WriteEffect } from "../child/recorder-consumer";
import type { SeamQuery, SeamRun } from "../child/seams";
import type { AnyPlan } from "../plan";

/** A bug on purpose, with the runs that ought to show it and the oracles that ought to see it. */
export interface Bug {
  readonly story: string;
  readonly cells: readonly string[];
  /** Runs that cannot show it are not made. */
  readonly when?: (plan: AnyPlan) => boolean;
  /** At least one of these must catch it. */
  readonly oracles: readonly string[];
  /** In the database, or else in our own code: a child makes its own at its start. */
  readonly sql?: SqlBug;
  readonly code?: (place: ChildPlace) => CodeBug;
}

/** What a careless migration or a careless function would be. */
export interface SqlBug {
  readonly before?: string;
  readonly changes?: readonly TextChange[];
}

/** A part of the text of one SQL function that is replaced. */
export type TextChange = readonly [name: string, from: RegExp, to: string];

export interface CodeBug {
  /** Acts in the place of a statement, by its name; undefined leaves it as it is. */
  readonly instead?: Readonly<Record<string, (run: SeamRun, query: SeamQuery) => Promise<unknown> | undefined>>;
  provider?(provider: PaymentProvider): PaymentProvider;
  result?(result: CallResult): CallResult;
  /** Instead of the suite's own consumer's. */
  readonly effect?: WriteEffect;
}

/** @returns values of arguments of a SQL function that is called by names. @param names without the `p_` */
export function argumentsOf({ text, values }: SeamQuery, ...names: readonly string[]): unknown[] {
  return names.map((name) => {
    const place = new RegExp(`\\bp_${name} => \\$(\\d+)`).exec(text)?.[1];
    if (place === undefined) throw new Error(`The statement has no argument ${name}: ${text}`);
    return values[Number(place) - 1];
  });
}
