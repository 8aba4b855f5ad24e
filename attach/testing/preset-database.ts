import { afterAll, beforeAll } from "vitest";
import type { Preset } from "../contract/preset";
import { createForeignDatabase, type ForeignDatabase } from "./foreign-database";

interface PresetDatabase {
  readonly preset: Preset;
  /** As its library makes them. */
  readonly tables: string;
  /** Statements, or what puts a row of each state into tables that have none. */
  readonly rows: string | ((database: ForeignDatabase) => Promise<unknown>);
  readonly constants?: Readonly<Record<string, string>>;
}

/**
 * The database of a library with a row in each state and its installation, for the tests of the file that calls this: made before the first
 * of them, and dropped after the last.
 */
export function presetDatabase({ preset, tables, rows, constants }: PresetDatabase) {
  let made: ForeignDatabase | undefined;
  beforeAll(async () => {
    made = await createForeignDatabase(tables);
    await (typeof rows === "string" ? made.run(rows) : rows(made));
    await made.install(preset, constants);
  });
  afterAll(() => made?.drop());
  /** @throws Error outside of a test */
  const theirs = (): ForeignDatabase => {
    if (made === undefined) throw new Error("The database is there within tests alone.");
    return made;
  };
  const database: Pick<ForeignDatabase, "run" | "open" | "hold"> = {
    run: (text, values) => theirs().run(text, values),
    open: () => theirs().open(),
    hold: (statement) => theirs().hold(statement),
  };
  return {
    database,
    /** A guarded function, as the login of Onceboard. */
    act: async (action: string, id: string) =>
      (await database.open()).query<Record<string, unknown>>(`select * from onceboard_attach.${action}($1)`, [id]),
  };
}
