import "server-only";
import { parseConfig } from "@/domain/config";
import { createHttpApp } from "@/http/app";
import { sharedConfig } from "@/engine/module/config";
import { createContainer, type Container } from "@/http/container";
import { shareApi } from "./shared-api";

interface Process {
  readonly deps: Promise<Container>;
  api: Promise<ReturnType<typeof createHttpApp>> | undefined;
}

// A development server loads this file anew after every change; the pool must stay one.
const holder = globalThis as { onceboardNext?: Process | undefined };

function ofProcess(): Process {
  return (holder.onceboardNext ??= { deps: open(), api: undefined });
}

/** Not before the first request: a build loads routes without an environment. */
async function open(): Promise<Container> {
  try {
    // Where Next itself was started, the configuration of this repository is built in.
    const source = sharedConfig() ?? (await import("@/onceboard.config")).default;
    return await createContainer(parseConfig(process.env), "next", source);
  } catch (error) {
    holder.onceboardNext = undefined;
    throw error;
  }
}

/** What pages and routes of this process work with, made once. */
export function processContainer(): Promise<Container> {
  return ofProcess().deps;
}

/** The HTTP app behind Next. */
export function getApi(): Promise<ReturnType<typeof createHttpApp>> {
  const mine = ofProcess();
  return (mine.api ??= mine.deps.then((deps) => shareApi(createHttpApp(deps))));
}
