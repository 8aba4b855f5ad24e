"use client";

import { askOwn } from "@/components/ui/base-path";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLive } from "@/components/shell/live-provider";
import { UUID } from "@/domain/uuid";

/** What the address opens beside a list, as the server read it with the page; `gone`: there is no such thing. */
export interface Opened<Value> {
  /** Value of the parameter that opens it. */
  readonly name: string;
  readonly value: Value | "gone";
}

export interface Problem {
  readonly message: string;
  readonly requestId: string | undefined;
}

export interface OpenedRow<Value> {
  /** What is shown: while the next one is on its way, still the one before. */
  readonly shown: Opened<Value> | undefined;
  /** Why the one that the address names did not load. */
  readonly problem: Problem | undefined;
  readonly busy: boolean;
  readonly retry: () => void;
}

const TIMEOUT_MS = 15_000;

/**
 * Reads the one thing that a list has open, and nothing of the list. The page brings the first one along, and the present one
 * whenever it is read again.
 *
 * @param name value of the parameter that opens it; undefined while nothing is open
 * @param path of the admin API, e.g. `/outbox/01a1…`; undefined for a name that can be nothing
 */
export function useOpened<Value>(
  name: string | undefined,
  path: string | undefined,
  initial: Opened<Value> | undefined,
): OpenedRow<Value> {
  const { tenant } = useLive();
  const [shown, setShown] = useState(initial);
  const [brought, setBrought] = useState(initial);
  const [failed, setFailed] = useState<Problem & { readonly name: string }>();
  const [tries, setTries] = useState(0);
  /** Of what is known: another one is asked for, the same one is not. */
  const known = useRef(initial?.name);
  if (brought !== initial) {
    setBrought(initial);
    if (initial !== undefined && initial.name === name) setShown(initial);
  }

  useEffect(() => {
    // Closed: what is opened next is read, also when it was open before.
    if (name === undefined) known.current = undefined;
    if (name === undefined || known.current === name) return;
    const ended = new AbortController();
    const read = async (): Promise<void> => {
      const answer = path === undefined ? ("gone" as const) : await readRow<Value>(path, tenant, ended.signal);
      if (ended.signal.aborted) return;
      known.current = name;
      setFailed(answer !== "gone" && "problem" in answer ? { ...answer.problem, name } : undefined);
      if (answer === "gone") setShown({ name, value: "gone" });
      else if ("value" in answer) setShown({ name, value: answer.value });
    };
    void read();
    return () => {
      ended.abort();
    };
  }, [name, path, tenant, tries]);
  const retry = useCallback(() => {
    known.current = undefined;
    setTries((before) => before + 1);
  }, []);

  const problem = failed?.name === name ? failed : undefined;
  return {
    shown: name === undefined ? undefined : shown,
    problem,
    busy: name !== undefined && shown?.name !== name && problem === undefined,
    retry,
  };
}

/** @returns the path of one thing in the admin API; undefined where the id is none */
export function idPath(under: string, id: string | undefined, search = ""): string | undefined {
  return id !== undefined && UUID.test(id) ? `${under}/${id}${search}` : undefined;
}

async function readRow<Value>(
  path: string,
  tenant: string,
  ended: AbortSignal,
): Promise<{ readonly value: Value } | { readonly problem: Problem } | "gone"> {
  try {
    const response = await askOwn(`/api/v1/admin${path}`, {
      headers: { "onceboard-tenant": tenant },
      signal: AbortSignal.any([ended, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.ok) return { value: (await response.json()) as Value };
    if (response.status === 404) return "gone";
    const { detail, title } = (await response.json().catch(() => ({}))) as { detail?: unknown; title?: unknown };
    const message = [detail, title].find((text) => typeof text === "string");
    return {
      problem: {
        message: message ?? `The server answered ${String(response.status)}.`,
        requestId: response.headers.get("request-id") ?? undefined,
      },
    };
  } catch {
    return { problem: { message: "No answer came back.", requestId: undefined } };
  }
}
