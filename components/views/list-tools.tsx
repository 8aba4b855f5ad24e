import type { TableColumn } from "@/components/table/columns";
import { buildSearch } from "@/presentation/filters/search";
import { exportableColumns } from "@/presentation/list/columns";
import type { OperationChoice } from "@/presentation/list/operation-choices";
import { LISTS } from "@/presentation/list/lists";
import type { PageAddress } from "@/presentation/list/page-address";
import { isListPage, keptSearch, type ListPage, searchInput, type ViewPage } from "@/presentation/list/saved-view";
import type { SavedView } from "@/presentation/views/saved-views";
import { ColumnMenu } from "./column-menu";
import { ExportMenu } from "./export-menu";
import { PageViews } from "./views-menu";
import styles from "./list-tools.module.css";

/** What a page knows about its list beyond the rows. */
export interface ListFacts {
  readonly page: ViewPage;
  readonly tenant: string;
  readonly views: readonly SavedView[];
  /** Operations that a filter offers: those that are registered. */
  readonly operations?: readonly OperationChoice[] | undefined;
  /** Why this person may not save a view; undefined: may. */
  readonly whyNotSave?: string | undefined;
  /** Why this person may not take the list along; undefined: may. */
  readonly whyNotExport?: string | undefined;
}

export interface ListToolsProps {
  readonly facts: ListFacts;
  readonly address: PageAddress;
  /** All columns of the list, also those that are hidden now; without a table, none. */
  readonly columns?: readonly TableColumn[] | undefined;
}

/** Above a list, at the right: views, columns and rows, export. */
export function ListTools({ facts, address, columns }: ListToolsProps) {
  const { page, tenant, whyNotExport } = facts;
  return (
    <span className={styles["tools"]}>
      <PageViews facts={facts} address={address} />
      {columns !== undefined && <ColumnMenu key={address.path} columns={columns} />}
      {isListPage(page) && (
        <ExportMenu
          path={`/api/v1/admin/exports/${page}`}
          search={exportSearch(page, address, tenant)}
          shown={columns === undefined ? undefined : takenColumns(page, columns)}
          whyNot={whyNotExport}
        />
      )}
    </span>
  );
}

/** The tools of a list that has no filters above it. */
export function ListToolsLine(props: ListToolsProps) {
  return (
    <div className={styles["line"]}>
      <ListTools {...props} />
    </div>
  );
}

/** Columns on the screen that say something in a file, in their order. */
function takenColumns(page: ListPage, columns: readonly TableColumn[]): readonly string[] {
  const known = exportableColumns(LISTS[page]);
  return columns.flatMap(({ id, hidden }) => (known.includes(id) && !hidden ? [id] : []));
}

/** The present filters in the list's one form; its columns are named apart. */
function exportSearch(page: ListPage, address: PageAddress, tenant: string): string {
  const kept = searchInput(keptSearch(page, address.search).search);
  return buildSearch({ ...kept, columns: undefined, tenant });
}
