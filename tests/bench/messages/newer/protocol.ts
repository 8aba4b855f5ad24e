import type { WorkKind } from "../contender";

/** What the bench asks of the process of a contender. */
export type ContenderCall =
  | { readonly do: "open"; readonly program: string; readonly work: WorkKind; readonly url: string }
  | { readonly do: "send"; readonly ids: readonly string[] }
  | { readonly do: "finish some"; readonly lane: number }
  | { readonly do: "processor time" }
  | { readonly do: "close" };

export interface ContenderQuestion {
  readonly id: number;
  readonly asked: ContenderCall;
}

/** A number, or why there is none. */
export type ContenderReply = { readonly id: number } & ({ readonly value: number } | { readonly failed: string });
