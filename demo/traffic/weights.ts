/** How often each behaviour is chosen, relative to the others. */
export const DEFAULT_WEIGHTS = {
  pay: 60,
  refund: 10,
  void: 4,
  account: 1,
  decline: 3,
  "double-click": 6,
  "late-retry": 6,
  "reuse-key": 3,
  "new-key": 2,
  hurry: 4,
} as const;

export type BehaviourName = keyof typeof DEFAULT_WEIGHTS;
export type Weights = Readonly<Record<BehaviourName, number>>;
export const BEHAVIOUR_NAMES = Object.keys(DEFAULT_WEIGHTS) as BehaviourName[];

/** @param dice number in [0, 1) */
export function chooseBehaviour(weights: Weights, dice: number): BehaviourName {
  const total = BEHAVIOUR_NAMES.reduce((sum, name) => sum + weights[name], 0);
  let rest = dice * total;
  for (const name of BEHAVIOUR_NAMES) {
    rest -= weights[name];
    if (rest < 0) return name;
  }
  return "pay";
}
