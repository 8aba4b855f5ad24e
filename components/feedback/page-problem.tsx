import { ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { READ_FAILURES } from "@/presentation/format/read-failures";
import { Notice } from "./notice";

export interface PageProblemProps {
  readonly title: string;
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
          title="You do not have access to this."
          text={error.message}
          actions={
            <ButtonLink small href="/settings/permissions">
              What you may do
            </ButtonLink>
          }
        />
      ) : (
        <Notice
          tone="broken"
          title={`${what} did not load.`}
          text={
            <>
              {READ_FAILURES[error.code] ?? "Reading it failed on our side."} Reading it changed nothing. Request{" "}
              <Id value={requestId} mark />
            </>
          }
          actions={
            <ButtonLink small href={retryHref}>
              Try again
            </ButtonLink>
          }
        />
      )}
    </>
  );
}
