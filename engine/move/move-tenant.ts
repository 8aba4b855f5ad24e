import { setTimeout as delay } from "node:timers/promises";
import type { Database, Queryable } from "@/db/client";
import { copyTenant, deleteLeft, lockMove } from "@/db/move/copy-tenant";
import { makeMissingDays } from "@/db/move/partition-days";
import {
  eventsSince,
  fenceOwners,
  justBefore,
  ownersAtWork,
  schemaVersion,
  serviceKinds,
  setHome,
  stopLooks,
  tenantHome,
  type TenantHome,
} from "@/db/move/tenant-home";
import { currentPlace } from "@/db/restore/restored";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { audit } from "../actions/audit";

/** Of {@link Move.drainMs}. */
const DRAIN_MS = 60_000;
const DRAIN_POLL_MS = 250;
/** What was answered is written down by then: several times as long as a process waits with it. */
const EVENTS_STILL_MS = 1_500;
/** Claims of all tenants wait while the move waits for those that have begun; then it lets them by and tries again. */
const CLOSE_LOCK_MS = 2_000;
const CLOSE_TRIES = 30;

export interface Move {
  readonly tenant: string;
  /** Region of the source. */
  readonly from: string;
  readonly to: string;
  /** Of services, beside those of modules. */
  readonly schemas: readonly string[];
  /** Whatever began before may end for so long, ms; then its fence is raised. A minute when left out. */
  readonly drainMs?: number;
  /** Told one line at a time. */
  readonly say: (line: string) => void;
}

export interface Databases {
  /** As the owners of their tables. */
  readonly source: Database;
  readonly target: Database;
}

/**
 * Moves a tenant to the database of another region while both work. From the moment that it is closed until its rows are there
 * both regions refuse what it asks for with 421, and record nothing. A move that was cut off goes on when it is asked for again.
 *
 * @returns rows by table; undefined: it is there already
 * @throws Error in one sentence; nothing is changed, or the tenant stays closed until the move is asked for again
 */
export async function moveTenant(databases: Databases, move: Move): Promise<ReadonlyMap<string, number> | undefined> {
  const { source, target } = databases;
  const { to, say } = move;
  const here = await requireMovable(databases, move);
  if (here === undefined) return undefined;
  say(`${String(await makeMissingDays(source.pool, target.pool))} partitions were missing`);
  await copyTenant(databases, { ...move, name: here.name, only: "keys" });
  say(`its API keys are known in ${to}`);
  if (here.movedTo === null) await close(source, move);
  say("it is closed: both regions refuse what it asks for");
  const late = await drain(source, move);
  say(late === 0 ? "whatever had begun has ended" : `${String(late)} operations will be taken over in ${to}`);
  const rows = await copyTenant(databases, { ...move, name: here.name, only: "all" });
  say(`it is open in ${to}`);
  return rows;
}

/** Opens a tenant where it was, whose move was cut off. @throws Error in one sentence when it is not being moved, or has arrived */
export async function takeBack({ source, target }: Databases, { tenant, from, to }: Move): Promise<void> {
  await inTransaction(target, async (other) => {
    await lockMove(other, tenant);
    const [here, there] = await Promise.all([tenantHome(source.pool, tenant), tenantHome(other, tenant)]);
    if (here?.movedTo !== to) throw new Error(`${tenant} is not being moved to ${to}.`);
    if (hasArrived(there, to)) throw new Error(`${tenant} is in ${to}: move it back from there.`);
    await inTransaction(source, async (tx) => {
      await setHome(tx, tenant, { home: from, movedTo: null });
      await noteMove(tx, tenant, to, from);
    });
  });
}

/**
 * Deletes what a tenant left in its old database, API keys excepted.
 *
 * @returns how many rows
 * @throws Error in one sentence when it has not arrived, or is being moved back
 */
export function forgetTenant({ source, target }: Databases, { tenant, to, schemas }: Move): Promise<number> {
  return inTransaction(
    source,
    async (tx) => {
      await lockMove(tx, tenant);
      const [here, there] = await Promise.all([tenantHome(tx, tenant), tenantHome(target.pool, tenant)]);
      if (here?.movedTo !== to || !hasArrived(there, to)) throw new Error(`${tenant} was not moved to ${to}.`);
      return deleteLeft(tx, tenant, schemas);
    },
    { retries: 0 },
  );
}

function hasArrived(there: TenantHome | undefined, to: string): boolean {
  return there?.home === to && there.movedTo === null;
}

/** @returns the tenant where it is; undefined: it has arrived */
async function requireMovable(
  { source, target }: Databases,
  { tenant, from, to }: Move,
): Promise<TenantHome | undefined> {
  if (from === to) throw new Error(`${tenant} is to be moved from ${from} to another region.`);
  if ((await currentPlace(source.pool)) === (await currentPlace(target.pool)))
    throw new Error("Both addresses lead to one database.");
  if ((await schemaVersion(source.pool)) !== (await schemaVersion(target.pool)))
    throw new Error(
      "The two databases are not at one version, or have other modules: run migrate of one version on both.",
    );
  const [here, there] = await Promise.all([tenantHome(source.pool, tenant), tenantHome(target.pool, tenant)]);
  if (here === undefined) throw new Error(`There is no tenant ${tenant}.`);
  const moving = here.movedTo === to;
  if (moving && hasArrived(there, to)) return undefined;
  if (!moving && (here.movedTo !== null || here.home !== from))
    throw new Error(`${tenant} is in ${here.movedTo ?? here.home}, not in ${from}.`);
  if (hasArrived(there, to)) throw new Error(`There is another tenant ${tenant} in ${to}.`);
  const services = await serviceKinds(source.pool, tenant);
  if (services.length > 0)
    throw new Error(
      `Services in other languages run ${services.join(", ")} for it beside this database, and are not moved: such a tenant cannot be moved.`,
    );
  return here;
}

/** From its commit on nothing is claimed, received, taken over or audited for the tenant here, and whatever was is there to be read. */
async function close(source: Database, { tenant, from, to }: Move): Promise<void> {
  const once = async (tx: Queryable): Promise<void> => {
    await stopLooks(tx);
    await noteMove(tx, tenant, from, to);
    await setHome(tx, tenant, { home: to, movedTo: to });
  };
  for (let left = CLOSE_TRIES; ; left -= 1) {
    try {
      await inTransaction(source, once, { lockTimeoutMs: CLOSE_LOCK_MS, retries: 0 });
      return;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "transient.contention") throw error;
      if (left <= 1)
        throw new Error(`${tenant} was not closed: a transaction that looked at it does not end.`, { cause: error });
      await delay(CLOSE_LOCK_MS);
    }
  }
}

async function noteMove(tx: Queryable, tenant: string, before: string, after: string): Promise<void> {
  const actor = { kind: "system", id: "move-tenant", name: "move-tenant" } as const;
  const subject = { type: "tenant", id: tenant };
  const homes = { before: { home: before }, after: { home: after } };
  await audit({ tenantId: tenant, actor, requestId: actor.id }, tx, { action: "tenant.moved", subject, ...homes });
}

/** Waits for owners to end, and for events of what was answered. @returns how many did not end and had their fence raised */
async function drain(source: Database, { tenant, drainMs = DRAIN_MS }: Move): Promise<number> {
  const until = performance.now() + drainMs;
  while ((await ownersAtWork(source.pool, tenant)) > 0 && performance.now() < until) await delay(DRAIN_POLL_MS);
  const late = await inTransaction(source, (tx) => fenceOwners(tx, tenant));
  const stop = performance.now() + DRAIN_MS;
  const since = await justBefore(source.pool);
  let [events, still] = [await eventsSince(source.pool, tenant, since), performance.now()];
  while (performance.now() < Math.min(stop, still + EVENTS_STILL_MS)) {
    await delay(DRAIN_POLL_MS);
    const now = await eventsSince(source.pool, tenant, since);
    if (now > events) still = performance.now();
    events = now;
  }
  return late;
}
