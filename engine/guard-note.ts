/** What a deployment should know whose processes log in as the owner of the tables. */
export const OWNER_NOTE =
  "The login of DATABASE_URL owns the tables, so whoever runs SQL with it can leave the role onceboard_app: use a login that is only in that role (docs/ACCESS.md, The login of the processes).";

/** @returns one sentence for people: whether the database refuses a write that does not go through a function of the state machine. */
export function guardNote(active: boolean): string {
  return active
    ? "The database refuses direct writes: states change through its functions only."
    : "The database does not refuse direct writes, because this user cannot take the role onceboard_app (docs/SQL-CONTRACT.md, Roles).";
}
