import type { Queryable } from "@/db/client";
import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { pick, rowsOf, select, type RowOf } from "@/db/query";
import { deploys } from "@/db/schema";
import type { Span } from "@/domain/metrics/risk";

const d = alias(deploys, "d");

export interface DeployInsert {
  readonly tenantId: string;
  readonly id: string;
  /** RFC 3339; undefined: now, by the database's clock. */
  readonly at: string | undefined;
  readonly service: string;
  readonly version: string;
  readonly link: string | undefined;
  readonly reportedBy: string;
}

/** @returns when it went live, RFC 3339; undefined where that is further in the future than clocks differ, or too long ago to be kept */
export async function insertDeploy(q: Queryable, deploy: DeployInsert): Promise<string | undefined> {
  const { rows } = await q.query<{ at: Date }>({
    text: `insert into onceboard.deploys (tenant_id, id, at, service, version, link, reported_by)
select $1, $2, a.at, $4, $5, $6, $7 from (select coalesce($3::timestamptz, clock_timestamp()) as at) a
where a.at between clock_timestamp() - make_interval(days => $8) and clock_timestamp() + make_interval(mins => $9)
returning at`,
    values: [
      ...[deploy.tenantId, deploy.id, deploy.at, deploy.service, deploy.version, deploy.link, deploy.reportedBy],
      ...[DEPLOY_DAYS, AHEAD_MINUTES],
    ],
  });
  return rows[0]?.at.toISOString();
}

/** Older ones would be gone with the next tick of retention. */
export const DEPLOY_DAYS = 30;
/** How far the clock of a pipeline may be ahead. */
export const AHEAD_MINUTES = 5;

export type DeployRow = RowOf<typeof selectDeploys>;

/** Deploys of a time, the newest first. */
export async function selectDeploys(q: Queryable, tenantId: string, { from, to }: Span, limit: number) {
  const query = select(pick(d, "id", "at", "service", "version", "link"))
    .from(d)
    .where(and(eq(d.tenantId, tenantId), gte(d.at, sql`${from}::timestamptz`), lte(d.at, sql`${to}::timestamptz`)))
    .orderBy(desc(d.at), d.id)
    .limit(limit);
  return rowsOf(q, query);
}
