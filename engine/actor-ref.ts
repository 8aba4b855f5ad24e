/** How the database keeps somebody: as the one who asked, started, decided, made a key, or looks after an operation. */
export function actorRef(actor: { readonly kind: string; readonly id: string }): string {
  return `${actor.kind}:${actor.id}`;
}
