import type { ReactNode } from "react";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { TooBroad } from "./notice";
import { PageProblem, type PageProblemProps } from "./page-problem";

export interface ListProblemProps extends PageProblemProps {
  /** What was looked at: "7 days of conflicts". */
  readonly looked: string;
  /** What answers at once. */
  readonly narrower: ReactNode;
}

/** A list that did not load: one that took too long is offered narrower, everything else is as on any page. */
export function ListProblem({ looked, narrower, ...props }: ListProblemProps) {
  if (props.problem.error.code !== "dependency.timeout") return <PageProblem {...props} />;
  return (
    <>
      <PageHead>
        <PageTitle>{props.title}</PageTitle>
      </PageHead>
      <TooBroad
        title="This search took too long."
        text={`It looked at ${looked} and was stopped. A narrower one answers at once; your other filters stay.`}
        actions={narrower}
      />
    </>
  );
}
