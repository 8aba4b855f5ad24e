import { createHash } from "node:crypto";
import { listRows, type AttachedRow } from "@/attach/read/list-rows";
import type { OpenAttachment } from "@/console/attachments/open-attachment";
import { shownRow, viewFacts } from "@/console/sources/shown-row";
import { insideSource } from "@/console/sources/with-source";
import type { NewPlanItem } from "@/db/plans/create-plan";
import type { AttachedAct } from "@/domain/attachments/acts";
import { AppError } from "@/domain/errors";
import type { AttachedVerdict } from "@/domain/plans/item-verdicts";
import { MAX_ATTACHED_ROWS } from "@/domain/plans/plan";
import type { EngineContext } from "@/engine/context";
import { errorGroupOf } from "@/presentation/sources/error-groups";
import type { AttachedScope } from "../plan-kind";

const READ_AT_ONCE = 500;
const LABEL_MAX = 200;

const WHY: Readonly<Record<Exclude<AttachedVerdict, "due_there">, string>> = {
  dead_there: "It was dead when it was read. The function acts only while it still is.",
  not_dead_there: `It is not among the newest ${MAX_ATTACHED_ROWS.toLocaleString("en")} dead rows.`,
};

/** What is said where a plan was to be made. */
export const NO_PLAN = "No plan was made.";

/** A row of an attached database as a plan keeps it. */
export type FrozenRow = Pick<NewPlanItem, "targetId" | "label">;

/**
 * Opens the attachment that a plan is about.
 *
 * @throws AppError `attachment.not_found` 404, `plan.nothing` 422 where the act is not offered, and those of `insideSource`
 */
export async function withOffered<Value>(
  ctx: EngineContext,
  attachment: string,
  act: AttachedAct,
  read: (open: OpenAttachment) => Promise<Value>,
): Promise<Value> {
  const found = await insideSource(ctx, { id: attachment }, async (open) => {
    const offered = open.manifest.actions[act];
    if (!offered.offered)
      throw new AppError("plan.nothing", 422, "Nothing matches", { detail: `${offered.reason} ${NO_PLAN}` });
    return { value: await read(open) };
  });
  if (found === undefined)
    throw new AppError("attachment.not_found", 404, "There is no such attachment", { detail: NO_PLAN });
  return found.value;
}

/** Dead rows of a scope, each with its verdict. */
export function freezeDead(
  ctx: EngineContext,
  act: "requeue" | "discard",
  { attachment, rows, type, error, group }: AttachedScope,
): Promise<readonly NewPlanItem[]> {
  return withOffered(ctx, attachment, act, async (open) => {
    const { dead } = await readDead(open);
    if (rows !== undefined) {
      const known = new Map(dead.map((row) => [textOf(row, "id"), row]));
      return rows.map((id) => itemOf(open, id, known.get(id)));
    }
    const { columns } = viewFacts(open.manifest, "dead");
    return dead
      .filter((row) => type === undefined || [textOf(row, "type"), shownType(row)].includes(type))
      .filter((row) => error === undefined || textOf(row, "error_type") === error)
      .filter((row) => group === undefined || errorGroupOf(shownRow("dead", row), columns) === group)
      .map((row) => itemOf(open, textOf(row, "id") ?? "", row));
  });
}

/**
 * Judges rows of a plan again, by asking their database now. A row that is not among those that were read, where these are not all, keeps
 * the verdict that it was frozen with.
 *
 * @throws AppError those of {@link withOffered}
 */
export async function judgeAgain(
  ctx: EngineContext,
  act: "requeue" | "discard",
  frozen: readonly FrozenRow[],
): Promise<readonly NewPlanItem[]> {
  const [attachment] = frozen.flatMap(({ label }) => label["attachment"] ?? []);
  if (attachment === undefined) return [];
  const { dead, all } = await withOffered(ctx, attachment, act, readDead);
  const ids = new Set(dead.map((row) => textOf(row, "id")));
  return frozen.map((item) => {
    const mine = item.label["attachment"] === attachment;
    const isDead = !mine || !all || ids.has(item.label["row"]);
    return { ...item, ...verdictOf(isDead ? "dead_there" : "not_dead_there") };
  });
}

const verdictOf = (verdict: keyof typeof WHY) => ({ verdict, why: WHY[verdict], acts: verdict === "dead_there" });

/** The newest dead rows, and whether these are all. */
async function readDead({
  foreign,
  manifest,
  row,
}: OpenAttachment): Promise<{ readonly dead: readonly AttachedRow[]; readonly all: boolean }> {
  const found: AttachedRow[] = [];
  let after: readonly string[] | undefined;
  do {
    const page = await listRows(foreign, row.installedAs, manifest, "dead", { after, limit: READ_AT_ONCE });
    if (!page.shown)
      throw new AppError("plan.nothing", 422, "Nothing matches", { detail: `${page.because} ${NO_PLAN}` });
    found.push(...page.rows);
    after = page.next;
  } while (after !== undefined && found.length < MAX_ATTACHED_ROWS);
  return { dead: found.slice(0, MAX_ATTACHED_ROWS), all: after === undefined };
}

function itemOf({ row: attachment }: OpenAttachment, id: string, dead: AttachedRow | undefined): NewPlanItem {
  const type = dead === undefined ? undefined : textOf(dead, "type");
  return {
    targetId: targetIdOf(attachment.id, id),
    label: {
      ...{ attachment: attachment.id, place: attachment.name, row: id, key: id },
      type: type?.slice(0, LABEL_MAX) ?? "Row",
    },
    ...verdictOf(dead === undefined ? "not_dead_there" : "dead_there"),
  };
}

function textOf({ values }: AttachedRow, column: string): string | undefined {
  const value = values[column];
  return typeof value === "string" ? value : undefined;
}

/** As the list shows it, from which it was chosen. */
function shownType(row: AttachedRow): string | undefined {
  const { type } = shownRow("dead", row).values;
  return type?.kind === "text" ? type.text : undefined;
}

/** The same row of the same attachment has the same id in every plan. */
function targetIdOf(attachmentId: string, row: string): string {
  const hex = createHash("sha256").update(`${attachmentId} ${row}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
