import type { Queryable } from "../client";
import { databaseErrorCode } from "../errors";
import { callRows } from "../named-call";

/** Not everybody may ask which server this is: then the database's number alone tells copies apart. */
const INSUFFICIENT_PRIVILEGE = "42501";

export interface Restored {
  readonly at: Date;
  readonly hold_until: Date;
  /** Operations that are asked for at the provider now. */
  readonly asked: number;
  /** Operations that had no provider key yet: they wait for a person. */
  readonly waiting: number;
  /** Operations of which all was in the database: their keys are free again. */
  readonly again: number;
  readonly sessions: number;
}

/** As the owner of the tables. @param place of {@link currentPlace}, asked for outside the transaction */
export async function markRestored(
  db: Queryable,
  input: { readonly actor: string; readonly holdHours: number; readonly place: string },
): Promise<Restored> {
  const [row] = await callRows<Restored>(db, "mark_restored", input);
  if (row === undefined) throw new Error("mark_restored() returned no row");
  return row;
}

/** Notes which database this is, where nobody has and this user may. */
export async function notePlace(db: Queryable): Promise<void> {
  const { rows } = await db.query({ text: "select from onceboard.database_place" });
  if (rows.length > 0) return;
  try {
    await db.query({
      text: "insert into onceboard.database_place (place) values ($1) on conflict do nothing",
      values: [await currentPlace(db)],
    });
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
  }
}

/** @returns whether this is another database than its owner said: a restored dump, or a copy */
export async function isElsewhere(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ place: string }>({ text: "select place from onceboard.database_place" });
  const noted = rows[0]?.place;
  if (noted === undefined) return false;
  const now = await currentPlace(db);
  // Who noted it may have known more, or less, than who asks now.
  const [server, database] = partsOf(now);
  const [notedServer, notedDatabase] = partsOf(noted);
  return database !== notedDatabase || (server !== "" && notedServer !== "" && server !== notedServer);
}

const partsOf = (place: string): readonly string[] => place.split("/");

/** @returns the server and the database, as `database_place` keeps them */
export async function currentPlace(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ number: string }>({
    text: "select oid::text as number from pg_database where datname = current_database()",
  });
  return `${await serverOf(db)}/${rows[0]?.number ?? ""}`;
}

async function serverOf(db: Queryable): Promise<string> {
  try {
    const { rows } = await db.query<{ id: string }>({
      text: "select system_identifier::text as id from pg_control_system()",
    });
    return rows[0]?.id ?? "";
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    return "";
  }
}
