import type { Supervisor } from "../cli/supervise";

/** Crashes come between half of and one and a half times the wanted gap. */
const SPREAD = 0.5;

/** Kills the process now and then, as a machine that fails would. @param killEvery seconds on average; 0 never */
export function startCrashes(supervisor: Supervisor, name: string, killEvery: number, signal: AbortSignal): void {
  if (killEvery <= 0) return;
  const next = (): void => {
    const gap = killEvery * (1 - SPREAD + Math.random() * 2 * SPREAD);
    const timer = setTimeout(() => {
      supervisor.crash(name);
      next();
    }, gap * 1_000);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  next();
}
