import { OPERATION_VERDICT_WORDS } from "./operation-verdict";
import { VERDICT_WORDS } from "@/domain/messages/requeue-verdict";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";

export const ITEM_VERDICT_WORDS: Readonly<Record<PlanItemVerdict, string>> = {
  ...OPERATION_VERDICT_WORDS,
  ...VERDICT_WORDS,
  refused: "Refused by its receiver",
  doubtful: "Cannot be sent as a new message",
  lost: "Not known to have arrived",
  arrived: "Arrived",
  recent: "May be on its way",
  spent: "Published again too often",
  old: "Too old",
  no_way: "Cannot be sent again",
  dead_there: "Dead in its database",
  due_there: "Due to be deleted",
  not_dead_there: "Not among the dead rows",
};
