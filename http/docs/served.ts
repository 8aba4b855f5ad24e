import { declarationOf } from "../declare";
import type { AnswerTypes } from "./answer-types";
import { openApiDocument, type DocumentOptions } from "./document";
import type { JsonSchema } from "./schemas";

/** What the page reads of the document. */
export interface ServedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly servers?: readonly { readonly url: string }[];
  readonly "x-scopes"?: readonly string[];
  readonly "x-roles"?: readonly string[];
  readonly "x-idempotency-window"?: string;
  /** Errors beyond those of every call of its kind. */
  readonly "x-errors"?: readonly string[];
  readonly "x-dress"?: "mesh";
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}

export interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ServedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What admin routes answer, as scripts/openapi.ts read it from their types. */
export async function adminAnswers(): Promise<AnswerTypes> {
  // Read when it is asked for: it is large, and most processes never answer with it.
  const { bodies, named } = (await import("./admin-answers.json", { with: { type: "json" } }))
    .default as unknown as Readonly<Record<keyof AnswerTypes, Readonly<Record<string, JsonSchema>>>>;
  return { bodies: new Map(Object.entries(bodies)), named: new Map(Object.entries(named)) };
}

/** @returns the document of what this process runs: its own modules, address and window of keys */
export async function servedDocument(options: Omit<DocumentOptions, "answers">): Promise<ServedDocument> {
  // A route that nobody declared is missing in the document, which CI refuses; it does not take the others with it.
  const routes = options.app.routes.filter(({ handler }) => declarationOf(handler) !== undefined);
  return openApiDocument({ ...options, app: { routes }, answers: await adminAnswers() }) as unknown as ServedDocument;
}
