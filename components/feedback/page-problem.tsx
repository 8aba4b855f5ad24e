import { ButtonLink } from "@/components/ui/button";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { ErrorState, Notice } from "./notice";

export interface PageProblemProps {
  /** Name of the page. */
  readonly title: string;
  /** "The list". */
  readonly what: string;
  readonly problem: {
    readonly error: { readonly status: number; readonly code: string; readonly message: string };
    readonly requestId: string;
  };
  readonly retryHref: string;
}

/** A page whose one read did not come back: who may not look is told so, everything else is our failure. */
export function PageProblem({ title, what, problem, retryHref }: PageProblemProps) {
  const { error, requestId } = problem;
  return (
    <>
      <PageHead>
        <PageTitle>{title}</PageTitle>
      </PageHead>
      {error.status === 403 ? (
        <Notice
          title="You cannot look at this."
          text={error.message}
          actions={
            <ButtonLink small href="/settings/permissions">
              What you may do
            </ButtonLink>
          }
        />
      ) : (
        <ErrorState
          title={`${what} did not load.`}
          text={reason(error.code)}
          requestId={requestId}
          retryHref={retryHref}
        />
      )}
    </>
  );
}

function reason(code: string): string {
  switch (code) {
    case "dependency.unavailable":
      return "The database does not answer. Nothing was changed.";
    case "dependency.timeout":
      return "The database took too long and the read was stopped. Nothing was changed.";
    default:
      return "Reading it failed on our side. Nothing was changed.";
  }
}
