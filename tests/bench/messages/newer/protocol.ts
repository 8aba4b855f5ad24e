import type { WorkKind } from "../contender";

/** What the bench asks of the process of a contender. */
export type Asked =
  | { readonly do: "open"; readonly program: string; readonly work: WorkKind; readonly url: string }
  | { readonly do: "send"; readonly ids: readonly string[] }
  | { readonly do: "finish some"; readonly lane: number }
  | { readonly do: "processor time" }
  | { readonly do: "close" };

export interface Question {
  readonly id: number;
  readonly asked: Asked;
}

/** A number, or why there is none. */
export type Reply = { readonly id: number } & ({ readonly value: number } | { readonly failed: string });
