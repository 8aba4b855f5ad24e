import type { ReactNode } from "react";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Row } from "@/components/ui/row";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { SOURCE_PAGES, sourceHref } from "@/presentation/sources/source-words";
import type { VerdictClause } from "@/presentation/views/common";
import type { SourceHead } from "@/presentation/views/sources";

interface SourceFrameProps {
  readonly source: SourceHead;
  readonly address: PageAddress;
  readonly clauses: readonly VerdictClause[];
  readonly lede?: string | undefined;
  readonly children: ReactNode;
}

/** What every page of an attachment has: where it is, its sentence, when it was read, and the pages that its tables can fill. */
export function SourceFrame({ source, address, clauses, lede, children }: SourceFrameProps) {
  return (
    <DoneKeeper>
      <PageHead
        crumb={
          <>
            Source <Link href={sourceHref(source.name)}>{source.name}</Link>
          </>
        }
        crumbRight={
          <>
            {source.title} at {source.shown}
          </>
        }
        verdict={clauses}
        lede={lede}
        aside={
          <Row end>
            <span className="small quiet">
              read <Time at={source.at} now={source.at} form="clock" />
            </span>
            <ButtonLink small href={hrefWith(address, { dialog: undefined })}>
              Read again
            </ButtonLink>
          </Row>
        }
      />
      <DoneLine />
      <Tabs label={`Pages of ${source.name}`} tabs={tabsOf(source, address.path)} />
      {children}
    </DoneKeeper>
  );
}

function tabsOf({ name, views, inFlight }: SourceHead, here: string) {
  const pages = [
    { path: undefined, label: "Overview" },
    ...views.map((view) => SOURCE_PAGES[view]),
    ...(inFlight ? [{ path: "in-flight", label: "In flight" }] : []),
    { path: "retention", label: "Retention" },
  ];
  return pages.map(({ path, label }) => {
    const href = sourceHref(name, path);
    return { href, label, current: href === here };
  });
}
