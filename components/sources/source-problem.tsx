import { PageProblem, type PageProblemProps } from "@/components/feedback/page-problem";
import { Notice } from "@/components/feedback/notice";
import { ButtonLink } from "@/components/ui/button";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { SOURCE_FAILURES } from "@/presentation/sources/source-failures";

/** A page of an attachment that was not read: what is theirs is said as theirs, all else as on any page. */
export function SourceProblem(props: PageProblemProps) {
  const { title, problem, retryHref } = props;
  const why = SOURCE_FAILURES[problem.error.code];
  if (why === undefined) return <PageProblem {...props} />;
  return (
    <>
      <PageHead>
        <PageTitle>{title}</PageTitle>
      </PageHead>
      <Notice
        tone="doubt"
        title={why.title}
        text={why.text}
        actions={
          <ButtonLink small href={retryHref}>
            Try again
          </ButtonLink>
        }
      />
    </>
  );
}
