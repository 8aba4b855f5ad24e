import type { Database } from "@/db/client";

/** What happens around one statement, by its name or, for `begin` and `commit`, its text. */
export interface Seams {
  before?(statement: string): void;
  after?(statement: string): void;
  /** Takes the place of the statement. @returns undefined to leave it as it is */
  instead?(statement: string, run: SeamRun, query: SeamQuery): Promise<unknown> | undefined;
}

/** Runs the statement itself, or another one in its place. */
export type SeamRun = (other?: unknown) => Promise<unknown>;
export interface SeamQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}
type Send = (...input: unknown[]) => Promise<unknown>;

/** @returns the same database with the seams around each statement of its pool and of its transactions. */
export function withSeams(db: Database, seams: readonly Seams[]): Database {
  const pool = proxy(db.pool, {
    query: seamed((...input) => (db.pool.query as unknown as Send).call(db.pool, ...input), seams),
    connect: async () => {
      const client = await db.pool.connect();
      return proxy(client, {
        query: seamed((...input) => (client.query as unknown as Send).call(client, ...input), seams),
      });
    },
  });
  return { ...db, pool };
}

function seamed(send: Send, seams: readonly Seams[]): Send {
  return async (...input) => {
    const { statement, query } = read(input[0]);
    const run: SeamRun = (other) => (other === undefined ? send(...input) : send(other));
    for (const seam of seams) seam.before?.(statement);
    let result: Promise<unknown> | undefined;
    for (const seam of seams) result ??= seam.instead?.(statement, run, query);
    const rows = await (result ?? run());
    for (const seam of seams) seam.after?.(statement);
    return rows;
  };
}

function read(config: unknown): { statement: string; query: SeamQuery } {
  if (typeof config === "string") return { statement: config, query: { text: config, values: [] } };
  const { name, text = "", values = [] } = config as { name?: string; text?: string; values?: readonly unknown[] };
  return { statement: name ?? text, query: { text, values } };
}

function proxy<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (of, name) => {
      if (typeof name === "string" && name in own) return own[name];
      const value: unknown = Reflect.get(of, name);
      return typeof value === "function" ? (value.bind(of) as unknown) : value;
    },
  });
}
