import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { TwoColumns } from "@/components/ui/section";
import { Verdict } from "@/components/ui/verdict";
import { toVerdictClauses } from "@/components/ui/verdict-clauses";
import { overviewSearch } from "@/domain/filters/overview";
import type { OverviewView as Overview } from "@/domain/views/overview";
import { AnswerStrips } from "./answer-strips";
import { InDoubt } from "./in-doubt";
import { Invariants } from "./invariants";
import { Loops } from "./loops";
import { Waiting } from "./waiting";

export interface OverviewProps {
  readonly view: Overview;
  readonly asTable: boolean;
}

/** Is money in doubt, is anything stuck, and does what must hold still hold. */
export function OverviewView({ view, asTable }: OverviewProps) {
  const { range } = view.charts;
  const waits = view.waiting.find((row) => row.name === "stale")?.open ?? 0;
  return (
    <>
      <FollowPage page={`overview${overviewSearch({ range })}`} since={view.at} refresh="always" />
      <PageHead
        ledeSize="large"
        lede={view.notes.length === 0 ? undefined : view.notes.map((note) => <Note key={note} text={note} />)}
        aside={
          view.doubt.count + waits > 0 ? (
            <>
              <ButtonLink primary href="/attention">
                Open the queue
              </ButtonLink>
              <ButtonLink href="/operations">See operations</ButtonLink>
            </>
          ) : (
            <ButtonLink href="/operations">See operations</ButtonLink>
          )
        }
      >
        <Verdict size="overview" clauses={toVerdictClauses(view.verdict)} />
      </PageHead>
      <InDoubt doubt={view.doubt} at={view.at} />
      <TwoColumns
        side={
          <>
            <Waiting rows={view.waiting} />
            <Invariants view={view.invariants} now={view.at} />
          </>
        }
      >
        <AnswerStrips
          charts={view.charts}
          now={view.at}
          asTable={asTable}
          outbox={view.waiting.find((row) => row.name === "outbox")?.tone}
        />
      </TwoColumns>
      <Loops rows={view.loops} />
    </>
  );
}

/** What stands before a colon is the claim, what follows is its proof. */
function Note({ text }: { readonly text: string }) {
  const at = text.indexOf(": ");
  if (at === -1) return <>{text} </>;
  return (
    <>
      <b>{text.slice(0, at + 1)}</b>
      {text.slice(at + 1)}{" "}
    </>
  );
}
