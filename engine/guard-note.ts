/** @returns one sentence for people: whether the database refuses a write that does not go through a function of the state machine. */
export function guardNote(active: boolean): string {
  return active
    ? "The database refuses direct writes: states change through its functions only."
    : "The database does not refuse direct writes, because this user cannot take the role onceboard_app (docs/SQL-CONTRACT.md, Roles).";
}
