import type { PolicyField } from "@/domain/idempotency/policy";
import type { OperationPolicyView, SettingView } from "../views/policies";
import { effectsOf } from "./policy-claims";
import { SETTING_GROUPS, type SettingGroup } from "./policy-words";

type Views = readonly OperationPolicyView[];

/** In the order of the groups. */
const FIELDS: readonly PolicyField[] = SETTING_GROUPS.flatMap(({ fields }) => fields);

/** What is said of each operation: its values differ between them, or this tenant decided one. */
export function differingSettings(views: Views): readonly PolicyField[] {
  return FIELDS.filter((field) => {
    const settings = views.flatMap((view) => settingOf(view, field) ?? []);
    return new Set(settings.map(({ value }) => value)).size > 1 || settings.some(({ from }) => from === "tenant");
  });
}

/** What is said once, for all. */
export function sharedSettings(views: Views, group: SettingGroup): readonly SettingView[] {
  const differing = new Set(differingSettings(views));
  const [first] = views;
  if (first === undefined) return [];
  return group.fields.flatMap((field) => (differing.has(field) ? [] : (settingOf(first, field) ?? [])));
}

export function settingOf(view: OperationPolicyView, field: PolicyField): SettingView | undefined {
  return view.settings.find((setting) => setting.field === field);
}

export interface SharedEffect {
  readonly sentence: string;
  /** Whom it holds for, where it does not hold for all: "Payment", "Refund". */
  readonly only: readonly string[];
}

/** What a group comes to for a caller: each sentence once, with the operations that it holds for. */
export function effectsOfAll(views: Views, group: SettingGroup): readonly SharedEffect[] {
  const kinds = new Map<string, string[]>();
  for (const view of views) {
    for (const sentence of effectsOf(group, view)) {
      kinds.set(sentence, [...(kinds.get(sentence) ?? []), view.kind]);
    }
  }
  return [...kinds].map(([sentence, of]) => ({ sentence, only: of.length === views.length ? [] : of }));
}
