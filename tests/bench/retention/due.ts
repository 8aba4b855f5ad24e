import { runAsOwner } from "../database";

/** Bytes of a sealed command and its answer, about. */
const BODY_BYTES = 400;

/**
 * Makes a day of traffic due in each of the three ways at once, of two days that were kept so far: windows that ended and bodies whose time is over
 * of one, keys whose metadata's time is over of the other. What the changes leave is cleaned up before anything is measured.
 *
 * @param days before today: of windows and bodies, and of keys
 */
export async function makeDue(url: string, tenant: string, [ended, kept]: readonly [number, number]): Promise<void> {
  const of = (ago: number): string =>
    `r.tenant_id = '${tenant}' and r.created_at >= current_date - ${String(ago)} and r.created_at < current_date - ${String(ago - 1)}`;
  await runAsOwner(url, [
    `insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, body, created_at)
     select r.tenant_id, r.body_day, r.operation_id, 'command', 1, decode(repeat(md5(r.key), ${String(BODY_BYTES / 16)}), 'hex'), r.created_at
     from onceboard.idempotency_requests r where ${of(ended)} and r.state = 'EXPIRED' on conflict do nothing`,
    `update onceboard.idempotency_requests r set state = 'COMPLETED', body_purged_at = null, expires_at = now() where ${of(ended)} and r.state = 'EXPIRED'`,
    `update onceboard.idempotency_requests r set purge_after = now() where ${of(kept)}`,
    "vacuum (analyze) onceboard.idempotency_requests, onceboard.idempotency_bodies",
    "checkpoint",
  ]);
}
