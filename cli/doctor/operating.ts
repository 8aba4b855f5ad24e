import { statSync } from "node:fs";
import type { OperatingFacts } from "@/db/health/operating-facts";
import { typed } from "../startup/installation";
import { messageOf, note, ok, unknown, wrong, type Diagnosis } from "./diagnosis";

/** As the rule PartitionsRunOut of docs/alerts.yml. */
const MIN_PARTITION_DAYS = 2;
/** The retain loop keeps seven; with fewer it has not run for two days. */
const USUAL_PARTITION_DAYS = 5;
/** As the rule AuditNotCovered of docs/alerts.yml. */
const MAX_UNCOVERED_S = 1_800;
/** PostgreSQL's own autovacuum_freeze_max_age is 200 million; at 2 billion it stops writing. */
const MAX_TRANSACTIONS = 1_000_000_000;
/** A backup each day, and two hours for it. */
const MAX_BACKUP_AGE_S = 26 * 3_600;
const [MINUTE_S, HOUR_S, DAY_S, MS] = [60, 3_600, 86_400, 1_000];

/** @param seconds in words: `3 min`, `5 h`, `2 days` */
export function spell(seconds: number): string {
  if (seconds < 2 * MINUTE_S) return `${String(Math.max(0, Math.round(seconds)))} s`;
  if (seconds < 2 * HOUR_S) return `${String(Math.round(seconds / MINUTE_S))} min`;
  if (seconds < 2 * DAY_S) return `${String(Math.round(seconds / HOUR_S))} h`;
  return `${String(Math.round(seconds / DAY_S))} days`;
}

export function examinePartitions({ partitionDays: days }: OperatingFacts): Diagnosis {
  const said = days === 1 ? "1 day ahead has its partitions" : `${String(days)} days ahead have their partitions`;
  const mend = `${typed("worker")} makes them each minute, ${typed("migrate")} at once`;
  if (days < MIN_PARTITION_DAYS) return wrong(`${said}: without one no key can be claimed that day; ${mend}`);
  return days < USUAL_PARTITION_DAYS ? note(`${said}, where a worker keeps 7: ${mend}`) : ok(said);
}

export function examineBloat({ autovacuum, bloated, oldestTransaction }: OperatingFacts): Diagnosis[] {
  return [
    autovacuum
      ? ok("Autovacuum is on")
      : wrong("Autovacuum is off, so tables only grow: alter system set autovacuum = on; select pg_reload_conf();"),
    ...(bloated.length === 0 ? [ok("No table has many dead rows")] : []),
    ...bloated.map(({ table, dead, live }) =>
      note(
        `${table} has ${String(dead)} dead rows beside ${String(live)}: vacuum (analyze) ${table}; a transaction that stays open keeps them (pg_stat_activity.xact_start)`,
      ),
    ),
    ...(oldestTransaction > MAX_TRANSACTIONS
      ? [
          wrong(
            `The oldest row is ${String(oldestTransaction)} transactions old, and PostgreSQL stops writing at 2 billion: vacuum (freeze);`,
          ),
        ]
      : []),
  ];
}

/** @param signed whether this environment has a key for the audit */
export function examineCheckpoints(facts: OperatingFacts, signed: boolean): Diagnosis[] {
  const { checkpointAgo, uncoveredFor, sinks } = facts;
  if (!signed) return [];
  const places = sinks.length === 0 ? "no place outside has taken one" : `they go to ${sinks.join(", ")}`;
  const newest =
    checkpointAgo === undefined
      ? unknown("The audit has no checkpoint yet: a worker with the key makes them")
      : ok(`The newest checkpoint of the audit is ${spell(checkpointAgo)} old; ${places}`);
  if (uncoveredFor === undefined || uncoveredFor <= MAX_UNCOVERED_S) return [newest];
  return [
    newest,
    wrong(
      `An entry of the audit has been without a checkpoint for ${spell(uncoveredFor)}: ${typed("worker")} makes them, where AUDIT_KEY_FILE and AUDIT_SINKS are set`,
    ),
  ];
}

/** @param file of the newest backup, where somebody named one */
export function examineBackups(facts: OperatingFacts | undefined, file: string | undefined): Diagnosis[] {
  return [
    ...(facts === undefined ? [] : [examineArchive(facts)]),
    ...(file === undefined ? [] : [examineFile(file)]),
  ].concat(
    file === undefined && (facts === undefined || facts.archiveMode === "off")
      ? [
          unknown(
            "Whether there is a backup cannot be seen from here: name the newest by --backup FILE (docs/runbooks/restore.md)",
          ),
        ]
      : [],
  );
}

function examineArchive({ archiveMode, archivedAgo, archiveFailedAgo }: OperatingFacts): Diagnosis {
  if (archiveMode === "off")
    return note("PostgreSQL archives no log: a backup brings back its own moment and nothing later (archive_mode)");
  if (archiveFailedAgo !== undefined)
    return wrong(
      `PostgreSQL could not archive its log ${spell(archiveFailedAgo)} ago, and keeps it: see archive_command, and pg_stat_archiver`,
    );
  if (archivedAgo === undefined) return unknown("PostgreSQL has archived no log yet: select pg_switch_wal() tries it");
  return ok(`PostgreSQL archived its log ${spell(archivedAgo)} ago; an idle server has nothing to archive`);
}

function examineFile(file: string): Diagnosis {
  try {
    const { mtimeMs, size } = statSync(file);
    const age = (Date.now() - mtimeMs) / MS;
    if (size === 0) return wrong(`The backup ${file} is empty`);
    return age > MAX_BACKUP_AGE_S
      ? wrong(`The backup ${file} is ${spell(age)} old: make one each day (docs/runbooks/restore.md)`)
      : ok(`The backup ${file} is ${spell(age)} old; that it can be restored is not known`);
  } catch (error) {
    return wrong(`The backup ${file} cannot be seen: ${messageOf(error)}`);
  }
}
