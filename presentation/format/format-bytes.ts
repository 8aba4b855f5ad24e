const UNITS = ["KB", "MB", "GB", "TB"] as const;
const STEP = 1000;

/** "0 bytes", "812 bytes", "1.2 KB", "410 MB". @param bytes whole number as text (it may be larger than a double holds) */
export function formatBytes(bytes: string): string {
  const size = Number(bytes);
  if (!Number.isFinite(size) || size < STEP) return `${bytes} ${bytes === "1" ? "byte" : "bytes"}`;
  let value = size / STEP;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : String(Math.round(value))} ${UNITS[unit] ?? ""}`;
}
