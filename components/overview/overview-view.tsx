import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { TwoColumns } from "@/components/ui/section";
import { overviewSearch } from "@/presentation/filters/overview";
import type { OverviewView as Overview } from "@/presentation/views/overview";
import { AnswerSparklines } from "./answer-sparklines";
import { InDoubt } from "./in-doubt";
import { Invariants } from "./invariants";
import { Loops } from "./loops";
import { Waiting } from "./waiting";

export function OverviewView({ view, asTable }: { readonly view: Overview; readonly asTable: boolean }) {
  const { range } = view.charts;
  const first = firstThing(view);
  return (
    <>
      <FollowPage page={`overview${overviewSearch({ range })}`} since={view.at} refresh="always" />
      <PageHead
        large
        lede={view.notes.length === 0 ? undefined : view.notes.map((note) => <Note key={note} text={note} />)}
        aside={
          <>
            {first !== undefined && (
              <ButtonLink primary href={first.href}>
                {first.label}
              </ButtonLink>
            )}
            <ButtonLink href="/operations">See operations</ButtonLink>
          </>
        }
        verdict={view.verdict.clauses}
      />
      <InDoubt doubt={view.doubt} at={view.at} />
      <TwoColumns
        side={
          <>
            <Waiting rows={view.waiting} />
            <Invariants view={view.invariants} now={view.at} />
          </>
        }
      >
        <AnswerSparklines
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

/** Where the worst of the sentence is dealt with; doubt comes before what is stuck. */
function firstThing({ doubt, waiting }: Overview): { readonly href: string; readonly label: string } | undefined {
  const row = (name: Overview["waiting"][number]["name"]) => waiting.find((each) => each.name === name);
  if (doubt.count + (row("stale")?.open ?? 0) > 0) return { href: "/attention", label: "Open the queue" };
  if ((row("dead_letters")?.open ?? 0) > 0) return { href: "/dead-letters", label: "See dead letters" };
  if (row("outbox")?.tone === "broken") return { href: "/outbox?state=pending", label: "See the outbox" };
  return undefined;
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
