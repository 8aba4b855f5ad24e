import { ExportMenu } from "@/components/views/export-menu";
import { PageViews } from "@/components/views/views-menu";
import { buildSearch } from "@/presentation/filters/search";
import type { PageAddress } from "@/presentation/list/page-address";
import { keptSearch, searchInput } from "@/presentation/list/saved-view";
import { sourceViewPage } from "@/presentation/list/source-view-page";
import type { SavedView } from "@/presentation/views/saved-views";
import type { SourceHead, SourceViewName } from "@/presentation/views/sources";
import styles from "./sources.module.css";

/** What the page of a list knows beyond its rows. */
export interface SourceListFacts {
  readonly tenant: string;
  readonly views: readonly SavedView[];
  /** Rows of one file. */
  readonly exportedRows: number;
  /** Why this person may not save a view; undefined: may. */
  readonly whyNotSave?: string | undefined;
}

interface SourceToolsProps {
  readonly source: SourceHead;
  readonly view: SourceViewName;
  readonly facts: SourceListFacts;
  readonly address: PageAddress;
}

/** Above a list of an attached database, at the right: views and export. */
export function SourceTools({ source, view, facts, address }: SourceToolsProps) {
  const page = sourceViewPage(source.name, view);
  const kept = searchInput(keptSearch(page, address.search).search);
  return (
    <span className={styles["tools"]}>
      <PageViews facts={{ page, ...facts }} address={address} />
      <ExportMenu
        path={`/api/v1/admin/attachments/${source.id}/exports/${view}`}
        search={buildSearch({ ...kept, columns: undefined, tenant: facts.tenant })}
        most={facts.exportedRows}
      />
    </span>
  );
}
