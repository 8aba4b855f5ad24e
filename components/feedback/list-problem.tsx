import type { ReactNode } from "react";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { ButtonLink } from "@/components/ui/button";
import { TooBroad } from "./notice";
import { PageProblem, type PageProblemProps } from "./page-problem";

export interface ListProblemProps extends PageProblemProps {
  /** What was looked at: "7 days of conflicts". */
  readonly looked: string;
  /** Less to look at; false where nothing is known to be. */
  readonly narrower: ReactNode;
}

/** How fast that answers, nobody knows before. */
const NARROWER = "A narrower one is less to look at; your other filters stay.";

/** A list that did not load: one that took too long is offered narrower, everything else is as on any page. */
export function ListProblem({ looked, narrower, ...props }: ListProblemProps) {
  if (props.problem.error.code !== "dependency.timeout") return <PageProblem {...props} />;
  const stopped = `It looked at ${looked} and was stopped.`;
  return (
    <>
      <PageHead>
        <PageTitle>{props.title}</PageTitle>
      </PageHead>
      <TooBroad
        title="This search took too long."
        text={narrower === false ? stopped : [stopped, NARROWER].join(" ")}
        actions={
          narrower === false ? (
            <ButtonLink small href={props.retryHref}>
              Read again
            </ButtonLink>
          ) : (
            narrower
          )
        }
      />
    </>
  );
}
