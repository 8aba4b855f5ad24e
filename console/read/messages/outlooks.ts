import type { Queryable } from "@/db/client";
import {
  selectDeaths,
  selectPlaceOutcomes,
  selectRecentFailures,
  type DeathRow,
  type FailureRow,
  type PlaceOutcomeRow,
} from "@/db/messages/select-outlook";
import {
  FAILING_MINUTES,
  judgeOutlook,
  type JudgedOutlook,
  type OutlookFacts,
  type PlaceChangeKind,
} from "@/domain/messages/requeue-outlook";
import type { MessageSide } from "@/domain/messages/side";
import { inBatches } from "@/console/actions/dead-letter-facts";

/** Messages whose facts one statement reads. */
const BATCH = 1_000;

/** By id of the outbox or inbox row. */
export type Outlooks = ReadonlyMap<string, JudgedOutlook>;

/**
 * Whether dead messages would get through if they were requeued now.
 *
 * @param ids of outbox or inbox rows
 * @returns by id; a message that is not dead has none
 */
export async function readOutlooks(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  ids: readonly string[],
): Promise<Outlooks> {
  const found = new Map<string, JudgedOutlook>();
  for (const batch of inBatches(ids, BATCH)) {
    const deaths = await selectDeaths(q, tenantId, side, batch);
    const places = [...new Set(deaths.map(({ place }) => place))];
    const outcomes = await selectPlaceOutcomes(q, tenantId, side, places);
    const failures = await selectRecentFailures(q, tenantId, side, places, FAILING_MINUTES);
    const byPlace = new Map(outcomes.map((row) => [row.place, row]));
    for (const death of deaths) {
      const others = failures.filter(({ place, id }) => place === death.place && id !== death.id);
      found.set(death.id, judgeOutlook(factsOf(side, death, byPlace.get(death.place), others)));
    }
  }
  return found;
}

const CHANGES: Readonly<Record<string, PlaceChangeKind>> = {
  "webhook_endpoints.enable": "enabled",
  "webhook_endpoints.rotate_secret": "secret",
  "topics.route": "route",
};
/** Of an attempt that was lost. */
const LOST = "lost";

function factsOf(
  side: MessageSide,
  { errorCode, deadAt, diedBefore, succeededBetween }: DeathRow,
  place: PlaceOutcomeRow | undefined,
  others: readonly FailureRow[],
): OutlookFacts {
  const { succeededAt, failedAt, failedCode = LOST, changedAt, changedAction = "", endpoint } = place ?? {};
  const failing = others.reduce<FailureRow | undefined>(
    (newest, row) => (row.at > (newest?.at ?? "") ? row : newest),
    undefined,
  );
  const what = CHANGES[changedAction];
  return {
    side,
    errorCode,
    deadAt,
    endpoint,
    paused: place?.paused ?? false,
    diedBefore,
    succeededAt,
    succeededBetween,
    failing: failing && { at: failing.at, code: failing.code ?? LOST },
    failed: failedAt === undefined ? undefined : { at: failedAt, code: failedCode },
    changed: changedAt === undefined || what === undefined ? undefined : { what, at: changedAt },
    counted: place?.counted ?? false,
  };
}
