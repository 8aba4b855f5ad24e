import { keyHeader } from "./key-header";

/** What the server and its page read of docs/openapi.json. */
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

/** @returns docs/openapi.json with the address and the window of keys of this deployment */
export async function servedDocument(options: {
  readonly publicUrl: string;
  readonly ttlHours: number;
}): Promise<ServedDocument> {
  // Read when it is asked for: it is large, and most processes never answer with it.
  const file = (await import("@/docs/openapi.json", { with: { type: "json" } })).default as unknown as ServedDocument;
  const window = `PT${String(options.ttlHours)}H`;
  const paths = Object.entries(file.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        operation["x-idempotency-window"] === undefined ? operation : { ...operation, "x-idempotency-window": window },
      ]),
    ),
  ]);
  const { components } = file;
  return {
    ...file,
    servers: [{ url: `${options.publicUrl}/api/v1` }],
    paths: Object.fromEntries(paths) as ServedDocument["paths"],
    components: {
      ...components,
      parameters: { ...components["parameters"], IdempotencyKey: keyHeader(options.ttlHours) },
    },
  } as ServedDocument;
}
