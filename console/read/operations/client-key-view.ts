import type { ClientKeyRow } from "@/db/access/select-client-keys";
import type { ClientKeyView } from "@/presentation/views/clients";

export function keyView(row: ClientKeyRow): ClientKeyView {
  return {
    id: row.id,
    scopes: row.scopes,
    profile: row.profile,
    createdAt: row.created_at,
    createdBy: row.created_by ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    revokedBy: row.revoked_by ?? undefined,
    state: stateOf(row),
  };
}

function stateOf(row: ClientKeyRow): ClientKeyView["state"] {
  if (row.revoked_at !== null) return "revoked";
  if (row.expires_at === null) return "live";
  return row.expired ? "ended" : "ending";
}
