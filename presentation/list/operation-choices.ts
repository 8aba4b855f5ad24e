import { CONSOLE_ACTIONS, type OperationKinds } from "@/domain/operation-kind";

/** An operation that a filter offers: its name in the key's identity, and how pages call it. */
export interface OperationChoice {
  readonly value: string;
  readonly label: string;
}

const CONSOLE: OperationChoice = { value: CONSOLE_ACTIONS, label: "Console actions" };

/** @returns what is registered, the actions of the console last; kinds of one label are told apart by their names */
export function operationChoices(kinds: OperationKinds): readonly OperationChoice[] {
  const all = [...kinds.values()];
  const labels = all.map(({ label }) => label);
  const isShared = (label: string): boolean => labels.indexOf(label) !== labels.lastIndexOf(label);
  const choices = all.map(({ name, label }) => ({ value: name, label: isShared(label) ? `${label}, ${name}` : label }));
  return [...choices, CONSOLE];
}

/** @returns the label of an operation; one that is not registered stands under its name */
export function labelOf(choices: readonly OperationChoice[], operation: string): string {
  return choices.find(({ value }) => value === operation)?.label ?? operation;
}

/** @param present the operation of the filter as it is: it may be one that nobody registered */
export function withPresent(
  choices: readonly OperationChoice[],
  present: string | undefined,
): readonly OperationChoice[] {
  const known = present === undefined || choices.some(({ value }) => value === present);
  return known ? choices : [...choices, { value: present, label: present }];
}
