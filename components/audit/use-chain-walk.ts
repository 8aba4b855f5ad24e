"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useLive } from "@/components/shell/live-provider";
import type { AuditChain } from "@/domain/access/audit-chain";
import type { AuditVerification } from "@/presentation/views/audit";

export interface ChainWalk {
  readonly walking: boolean;
  /** What the last part said; undefined before the first. */
  readonly last: AuditVerification | undefined;
  /** A part was not answered. */
  readonly failed: boolean;
  /** From the beginning, or on from where it was stopped. */
  readonly start: () => void;
  readonly stop: () => void;
}

const TIMEOUT_MS = 30_000;

/** Walks the audit chain part by part until it ends, breaks or is stopped. @param begin at once, without a click @param chain undefined: the tenant's */
export function useChainWalk(begin: boolean, chain?: AuditChain): ChainWalk {
  const { tenant } = useLive();
  const [walking, setWalking] = useState(begin);
  const [last, setLast] = useState<AuditVerification>();
  const [failed, setFailed] = useState(false);
  const running = useRef<AbortController>(undefined);

  const walk = useCallback(
    async (first: string) => {
      running.current?.abort();
      const stop = new AbortController();
      running.current = stop;
      setWalking(true);
      setFailed(false);
      try {
        for (let from: string | undefined = first; from !== undefined;) {
          const query = new URLSearchParams({ tenant, from, ...(chain !== undefined && { chain }) });
          const response = await fetch(`/api/v1/admin/audit/verify?${query.toString()}`, {
            cache: "no-store",
            signal: AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
          });
          if (!response.ok) throw new Error(`the walk was answered ${String(response.status)}`);
          const part = (await response.json()) as AuditVerification;
          setLast(part);
          // A part that came no further would come no further again.
          const further: boolean = part.result === "unfinished" && BigInt(part.checkedTo) >= BigInt(from);
          from = further ? (BigInt(part.checkedTo) + 1n).toString() : undefined;
        }
      } catch {
        if (!stop.signal.aborted) setFailed(true);
      } finally {
        if (running.current === stop) setWalking(false);
      }
    },
    [tenant, chain],
  );

  useEffect(() => {
    const soon = begin ? setTimeout(() => void walk("1")) : undefined;
    return () => {
      clearTimeout(soon);
      running.current?.abort();
    };
  }, [begin, walk]);

  const start = useCallback(() => {
    void walk(last?.result === "unfinished" ? (BigInt(last.checkedTo) + 1n).toString() : "1");
  }, [walk, last]);
  const stop = useCallback(() => {
    running.current?.abort();
  }, []);
  return { walking, last, failed, start, stop };
}
