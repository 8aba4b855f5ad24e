import type { Queryable } from "@/db/client";
import { EVENT_ROWS } from "../event-rows";
import { fillTenant, type FillOptions, type TenantHistory, type Seeded } from "../fill";
import { MESSAGE_ROWS } from "../message-rows";
import { OPERATION_ROWS } from "../operation-rows";
import type { HistoryDay } from "../roll-up-day";
import { writeBook, type BookEntry, type WeekPeople } from "./audit-book";
import { keepBodies, keepOtherCommands, type HistoryBodies } from "./bodies";
import { calendarOf, calmCalendar, tailDays, weekDays, WEEK_DAYS, type Calendar, type WeekDay } from "./calendar";
import { CONSUMER_ROWS } from "./consumer-rows";
import { GAUGE_ROWS } from "./gauges";
import { HABITS, QUIET_HABITS } from "./habits";
import { LOST_ROWS } from "./lost-rows";
import { OUTAGE_ROWS } from "./outage-rows";
import { decisions, lostStory, outageStory, releaseStory } from "./people";
import { poisonStory } from "./poison";
import { weekRows } from "./rows";

const WEEK_MS = WEEK_DAYS * 86_400_000;
/** Of the numbers of a quiet tenant. */
const QUIET_OFFSET = 2_000_000;

export interface WeekOptions extends FillOptions {
  /** Who did in that week what people do. */
  readonly people: WeekPeople;
  /** Of its traffic, above 0; 1 when left out. */
  readonly share?: number;
  /** Nothing went wrong, and the clients are others. */
  readonly quiet?: boolean;
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

function weekBefore(now: Date, { tenant, people, share = 1, quiet = false, bodies }: WeekOptions): TenantHistory {
  const calendar = quiet ? calmCalendar(now) : calendarOf(now);
  const kind = quiet ? { habits: QUIET_HABITS, offset: QUIET_OFFSET } : { habits: HABITS, offset: 0 };
  const shape = { share, bodyHours: bodies?.hours, ...kind };
  let tails = 0;
  const rowsOf = (day: WeekDay): HistoryDay => ({ day: day.day, ago: day.ago, rows: weekRows(day, calendar, shape) });
  return {
    before: [],
    days: weekDays(now).map(rowsOf),
    tail: (from, until) => tailDays(from, until, tails++).map(rowsOf),
    tailed: (tx, from) => writeGauges(tx, tenant, from),
    daily: [...OPERATION_ROWS, ...EVENT_ROWS, ...CONSUMER_ROWS, ...MESSAGE_ROWS, ...LOST_ROWS, ...OUTAGE_ROWS],
    ...(bodies && {
      around: [
        (tx, day) => keepBodies(tx, tenant, day, bodies),
        (tx, day) => keepOtherCommands(tx, tenant, day, bodies),
      ],
    }),
    after: [],
    finish: async (tx) => {
      if (!quiet) await writeBook(tx, tenant, await bookOf(tx, tenant, people, calendar));
      await writeGauges(tx, tenant, new Date(now.getTime() - WEEK_MS));
    },
  };
}

async function bookOf(tx: Queryable, tenant: string, people: WeekPeople, calendar: Calendar): Promise<BookEntry[]> {
  const book: BookEntry[] = [];
  for (const story of [decisions, releaseStory, outageStory, lostStory, poisonStory])
    book.push(...(await story(tx, tenant, people, calendar)));
  return book;
}

async function writeGauges(tx: Queryable, tenant: string, from: Date): Promise<void> {
  await tx.query({ text: GAUGE_ROWS.text, values: [tenant, from] });
}

async function isNew(tx: Queryable, tenant: string): Promise<boolean> {
  const { rows } = await tx.query<{ started: boolean }>({
    text: "select exists (select 1 from onceboard.idempotency_requests r where r.tenant_id = $1) as started",
    values: [tenant],
  });
  return rows[0]?.started !== true;
}
