import type { Queryable } from "@/db/client";

/** Keeps the one link that lets an operator choose a password; an older one stops working. */
export async function keepInvitation(
  db: Queryable,
  invitation: { readonly operatorId: string; readonly secretHash: string; readonly hours: number },
): Promise<void> {
  await db.query({
    text: `insert into onceboard.verifications (id, identifier, value, expires_at)
           values ('invitation:' || $1, 'invitation:' || $1, $2, clock_timestamp() + make_interval(hours => $3))
           on conflict (id) do update set
             value = excluded.value, expires_at = excluded.expires_at, updated_at = clock_timestamp()`,
    values: [invitation.operatorId, invitation.secretHash, invitation.hours],
  });
}
