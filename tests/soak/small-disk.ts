import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own, which can be full. */
export interface SmallDisk {
  readonly directory: string;
  /** No file of the log fits any more. */
  fill(): Promise<void>;
  free(): void;
  close(): void;
}

const SIZE_MB = 3_000;
const BYTES_PER_KB = 1_024;
/** Less than a segment of the log. */
const MARGIN_KB = 256;
const ATTEMPTS = 40;

/** @returns undefined where this user may not mount one */
export function openSmallDisk(): SmallDisk | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const directory = mkdtempSync(join(tmpdir(), "onceboard-soak-disk-"));
  const mount = (...args: readonly string[]): void => void execFileSync("mount", args, { stdio: "ignore" });
  try {
    mount("-t", "tmpfs", "-o", `size=${String(SIZE_MB)}m`, "tmpfs", directory);
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
  chmodSync(directory, 0o711);
  const close = (): void => {
    process.removeListener("exit", close);
    execFileSync("umount", ["--lazy", directory], { stdio: "ignore" });
    rmSync(directory, { recursive: true, force: true });
  };
  process.once("exit", close);
  return {
    directory,
    async fill() {
      for (let attempt = 1; ; attempt += 1) {
        const { blocks, bfree, bsize } = await statfs(directory);
        // Who writes meanwhile needs more than was used a moment ago.
        const kb = Math.ceil(((blocks - bfree) * bsize) / BYTES_PER_KB) + attempt * MARGIN_KB;
        try {
          mount("-o", `remount,size=${String(kb)}k`, directory);
          return;
        } catch (error) {
          if (attempt === ATTEMPTS) throw error;
        }
      }
    },
    free: () => mount("-o", `remount,size=${String(SIZE_MB)}m`, directory),
    close,
  };
}
