"use client";

import { askOwn } from "@/components/ui/base-path";
import { Link } from "@/components/ui/link";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import type { AuditChain } from "@/domain/access/audit-chain";
import { checkpointWords } from "@/presentation/list/audit-words";
import { walkWords } from "@/presentation/list/list-answers";
import { formatCount } from "@/presentation/format/display-time";
import type { AuditVerification } from "@/presentation/views/audit";
import { useLive } from "@/components/shell/live-provider";
import { useCallback, useEffect, useRef, useState } from "react";
import styles from "./audit.module.css";

export interface ChainCheckProps {
  /** Undefined: the tenant's. */
  readonly chain?: AuditChain | undefined;
  /** The address asked for it: begins without a click. */
  readonly begin: boolean;
  readonly notOffered: string | undefined;
}

/** Whether anything in the audit was changed since it was written: walked on request, part by part, over the whole chain. */
export function ChainCheck({ chain, begin, notOffered }: ChainCheckProps) {
  const walk = useChainWalk(begin && notOffered === undefined, chain);
  const { walking, last } = walk;
  return (
    <div className={styles["check"]}>
      <Section quiet space="none" title="The chain">
        <Progress {...walk} />
        <div role="status">{!walking && last !== undefined && <Result last={last} chain={chain} />}</div>
        {walk.failed && !walking && (
          <Note>The check stopped: a part of it failed. What was checked stays checked.</Note>
        )}
        <Note>
          Each entry's hash covers the entry before it: to change, remove or insert one unseen, all hashes behind it
          must be made anew.
        </Note>
        <div className={styles["button"]}>
          <Button small notOffered={notOffered} onClick={walking ? walk.stop : walk.start}>
            {walking ? "Stop" : label(walk)}
          </Button>
          {notOffered !== undefined && <Note>{notOffered}</Note>}
        </div>
      </Section>
    </div>
  );
}

function label({ last }: ChainWalk): string {
  if (last === undefined) return "Verify the whole chain";
  return last.result === "unfinished" ? `Continue from #${String(Number(last.checkedTo) + 1)}` : "Verify again";
}

function Progress({ walking, last }: ChainWalk) {
  if (!walking) return null;
  const [done, all] = [Number(last?.checkedTo ?? 0), Number(last?.head ?? 0)];
  return (
    <div className={styles["result"]}>
      <progress
        className={styles["progress"]}
        aria-label="Entries checked"
        max={Math.max(1, all)}
        {...(last !== undefined && { value: done })}
      />
      <Note>{walkWords(last)}</Note>
    </div>
  );
}

function Result({ last, chain }: { readonly last: AuditVerification; readonly chain: AuditChain | undefined }) {
  const checked = Number(last.checkedTo);
  const count = `${formatCount(checked)} ${checked === 1 ? "entry" : "entries"}`;
  return (
    <div className={styles["result"]}>
      {last.result === "holds" && <StateTag name="proven">Unchanged, {count} checked</StateTag>}
      {last.result === "broken" && <StateTag name="dead">Broken at entry #{last.brokenAt ?? "?"}</StateTag>}
      {last.result === "unfinished" && (
        <StateTag name="skipped" tone="doubt">
          Checked up to entry #{last.checkedTo}
        </StateTag>
      )}
      <Note>
        {last.result === "broken" && `${sentence(last.why ?? "")} ${count} before it checked. `}
        {last.result === "unfinished" &&
          `Nothing is said about the ${formatCount(Number(last.head) - checked)} behind it. `}
        {last.brokenId !== undefined && (
          <>
            <Link href={`/audit?${chain === undefined ? "" : `chain=${chain}&`}range=all&open=${last.brokenId}`}>
              Look at it.
            </Link>{" "}
          </>
        )}
        Checked <Time at={last.at} now={last.at} form="clock" />.
      </Note>
      {last.result !== "unfinished" && <Checkpoint of={last.checkpoints} now={last.at} />}
    </div>
  );
}

function Checkpoint({ of, now }: { readonly of: AuditVerification["checkpoints"]; readonly now: string }) {
  return (
    <Note>
      {checkpointWords(of)}
      {of.kept === "signed" && (
        <>
          {" "}
          Made <Time at={of.at} now={now} form="ago" />.
        </>
      )}
    </Note>
  );
}

function sentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

type ChainWalk = ReturnType<typeof useChainWalk>;

const TIMEOUT_MS = 30_000;

/** Walks the audit chain part by part until it ends, breaks or is stopped. @param begin at once, without a click @param chain undefined: the tenant's */
function useChainWalk(begin: boolean, chain?: AuditChain) {
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
          const response = await askOwn(`/api/v1/admin/audit/verify?${query.toString()}`, {
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
  return {
    walking,
    /** What the last part said; undefined before the first. */
    last,
    /** A part was not answered. */
    failed,
    /** From the beginning, or on from where it was stopped. */
    start,
    stop,
  };
}
