import type { Queryable } from "@/db/client";
import { EVENT_ROWS } from "../event-rows";
import { fillTenant, type FillOptions, type TenantHistory, type Seeded } from "../fill";
import { MESSAGE_ROWS } from "../message-rows";
import { OPERATION_ROWS } from "../operation-rows";
import type { HistoryDay } from "../roll-up-day";
import { writeBook, type WeekPeople } from "./audit-book";
import { keepBodies, keepOtherCommands, type HistoryBodies } from "./bodies";
import { calendarOf, tailDays, weekDays, type WeekDay } from "./calendar";
import { CONSUMER_ROWS } from "./consumer-rows";
import { GAUGE_ROWS } from "./gauges";
import { LOST_ROWS } from "./lost-rows";
import { OUTAGE_ROWS } from "./outage-rows";
import { decisions, lostStory, outageStory, releaseStory } from "./people";
import { poisonStory } from "./poison";
import { weekRows } from "./rows";

export interface WeekOptions extends FillOptions {
  /** Who did in that week what people do. */
  readonly people: WeekPeople;
  /** Of its traffic, above 0; 1 when left out. */
  readonly share?: number;
  /** Left out: no body is kept. */
  readonly bodies?: HistoryBodies | undefined;
}

/**
 * Fills a tenant that has no operation yet with the week before now: daily traffic of the demo's clients, and four incidents as the
 * product would have left them. A tenant that has operations stays as it is.
 */
export function seedWeek(options: WeekOptions): Promise<Seeded> {
  return fillTenant(
    options,
    async (tx, now) => ((await isNew(tx, options.tenant)) ? weekBefore(now, options) : undefined),
    weekDays,
  );
}

function weekBefore(now: Date, { tenant, people, share = 1, bodies }: WeekOptions): TenantHistory {
  const calendar = calendarOf(now);
  const shape = { share, bodyHours: bodies?.hours };
  const rowsOf = (day: WeekDay): HistoryDay => ({ day: day.day, ago: day.ago, rows: weekRows(day, calendar, shape) });
  return {
    before: [],
    days: weekDays(now).map(rowsOf),
    tail: (from, until) => tailDays(from, until).map(rowsOf),
    daily: [...OPERATION_ROWS, ...EVENT_ROWS, ...CONSUMER_ROWS, ...MESSAGE_ROWS, ...LOST_ROWS, ...OUTAGE_ROWS],
    ...(bodies && {
      around: [
        (tx, day) => keepBodies(tx, tenant, day, bodies),
        (tx, day) => keepOtherCommands(tx, tenant, day, bodies),
      ],
    }),
    after: [],
    finish: async (tx) => {
      const book = [
        ...(await decisions(tx, tenant, people, calendar)),
        ...(await releaseStory(tx, tenant, people, calendar)),
        ...(await outageStory(tx, tenant, people, calendar)),
        ...(await lostStory(tx, tenant, people, calendar)),
        ...(await poisonStory(tx, tenant, people, calendar)),
      ];
      await writeBook(tx, tenant, book);
      await tx.query({ text: GAUGE_ROWS.text, values: [tenant] });
    },
  };
}

async function isNew(tx: Queryable, tenant: string): Promise<boolean> {
  const { rows } = await tx.query<{ started: boolean }>({
    text: "select exists (select 1 from onceboard.idempotency_requests r where r.tenant_id = $1) as started",
    values: [tenant],
  });
  return rows[0]?.started !== true;
}
