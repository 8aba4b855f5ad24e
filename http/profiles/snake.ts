/** @returns the same members under names such as `operation_id`; what is inside a member stays as it is. */
export function snakeMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/[A-Z]/g, (deadLetter) => `_${deadLetter.toLowerCase()}`),
      value,
    ]),
  );
}
