import type { TableRow } from "@/components/table/columns";
import { Glyph } from "@/components/ui/values/glyph";
import { StateTag } from "@/components/ui/values/state-tag";
import type { RepublishVerdict } from "@/domain/messages/republish-verdict";
import { REQUEUE_VERDICTS, type RequeueVerdict } from "@/domain/messages/requeue-verdict";
import { VERDICT_FACES } from "@/presentation/message/safe-to-act";
import type { GlyphName, Tone } from "@/presentation/format/glyph";
import { rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, planFace, type Face, type PlanRow } from "@/presentation/views/plans";
import {
  ATTACHED_VERDICTS,
  CORRECTION_VERDICTS,
  OPERATION_VERDICTS,
  type AttachedVerdict,
  type CorrectionVerdict,
  type OperationVerdict,
  type PlanItemVerdict,
} from "@/domain/plans/item-verdicts";
import styles from "./plans.module.css";

/** Glyph and word of a plan's state or of a row's; what is quiet is so in both. */
export function PlanFace({ face }: { readonly face: Face }) {
  if (face.tone === "quiet") {
    return (
      <span className={styles["quietFace"]}>
        <Glyph name={face.glyph} tone="quiet" /> {face.word}
      </span>
    );
  }
  return (
    <StateTag name={face.glyph} tone={face.glyph === "UNKNOWN_REQUIRES_RECOVERY" ? undefined : face.tone}>
      {face.word}
    </StateTag>
  );
}

/** How a row of a list of plans is called, and where it leads. */
export function planTableRow(row: PlanRow): Omit<TableRow, "cells"> {
  const label = `${KIND_WORDS[row.kind].title}, ${rowsWord(row.total, row.kind)}, ${planFace(row).word}`;
  return { id: row.id, label, href: `/plans/${row.id}`, copy: row.id };
}

interface VerdictFace {
  readonly glyph: GlyphName;
  readonly tone: Tone;
}

const QUIET: VerdictFace = { glyph: "skipped", tone: "quiet" };
const DOUBT: VerdictFace = { glyph: "skipped", tone: "doubt" };
/** It goes, and nobody has checked what comes of it. */
const ACTS: VerdictFace = { glyph: "pending", tone: "moving" };
const OPERATION_FACES: Readonly<Record<OperationVerdict, VerdictFace>> = {
  ask: ACTS,
  by_hand: ACTS,
  ask_service: ACTS,
  free: ACTS,
  expired: ACTS,
  settled: QUIET,
  leased: { glyph: "in_progress", tone: "moving" },
  not_sent: DOUBT,
  sent: DOUBT,
  cannot_ask: DOUBT,
  foreign: QUIET,
  open: DOUBT,
  purged: QUIET,
  kept: QUIET,
  moved: QUIET,
};

const CORRECTION_FACES: Readonly<Record<CorrectionVerdict, VerdictFace>> = { refused: ACTS, doubtful: DOUBT };

const REPUBLISH_FACES: Readonly<Record<Exclude<RepublishVerdict, RequeueVerdict>, VerdictFace>> = {
  lost: ACTS,
  arrived: QUIET,
  recent: DOUBT,
  spent: DOUBT,
  old: DOUBT,
  no_way: DOUBT,
};

const ATTACHED_FACES: Readonly<Record<AttachedVerdict, VerdictFace>> = {
  dead_there: ACTS,
  due_there: ACTS,
  not_dead_there: QUIET,
};

function isAttached(verdict: PlanItemVerdict): verdict is AttachedVerdict {
  return (ATTACHED_VERDICTS as readonly string[]).includes(verdict);
}

function isCorrection(verdict: PlanItemVerdict): verdict is CorrectionVerdict {
  return (CORRECTION_VERDICTS as readonly string[]).includes(verdict);
}

/** How a verdict of the dry run is drawn. */
export function planVerdictFace(verdict: PlanItemVerdict): VerdictFace {
  if (isAttached(verdict)) return ATTACHED_FACES[verdict];
  if (isCorrection(verdict)) return CORRECTION_FACES[verdict];
  if (isOperation(verdict)) return OPERATION_FACES[verdict];
  return isRequeue(verdict) ? VERDICT_FACES[verdict] : REPUBLISH_FACES[verdict];
}

function isRequeue(verdict: PlanItemVerdict): verdict is RequeueVerdict {
  return (REQUEUE_VERDICTS as readonly string[]).includes(verdict);
}

function isOperation(verdict: PlanItemVerdict): verdict is OperationVerdict {
  return (OPERATION_VERDICTS as readonly string[]).includes(verdict);
}
