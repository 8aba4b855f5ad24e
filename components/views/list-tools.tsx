import { ColumnMenu } from "@/components/table/column-menu";
import type { TableColumn } from "@/components/table/types";
import { buildSearch } from "@/presentation/filters/search";
import { exportableColumns } from "@/presentation/list/list-columns";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";
import { keptSearch, searchInput, viewPage, type ViewPage } from "@/presentation/list/saved-view";
import { chosenColumns } from "@/presentation/list/table-columns";
import type { SavedView } from "@/presentation/views/saved-views";
import { ExportMenu } from "./export-menu";
import { ViewDialog } from "./view-dialog";
import { ViewsMenu } from "./views-menu";
import styles from "./list-tools.module.css";

/** What a page knows about its list beyond the rows. */
export interface ListFacts {
  readonly page: ViewPage;
  readonly tenant: string;
  readonly views: readonly SavedView[];
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
  const { page, views, tenant, whyNotSave, whyNotExport } = facts;
  return (
    <span className={styles["tools"]}>
      <ViewsMenu page={page} views={views} address={address} tenant={tenant} whyNot={whyNotSave} />
      {columns !== undefined && <ColumnMenu key={address.path} options={options(columns, address)} />}
      <ExportMenu
        page={page}
        search={exportSearch(page, address, tenant)}
        shown={columns === undefined ? undefined : takenColumns(page, shownColumns(columns, address))}
        whyNot={whyNotExport}
      />
      <ViewDialog
        page={page}
        title={viewPage(page).title}
        views={views.map(({ id, name, mayChange, createdBy }) => ({ id, name, mayChange, createdBy }))}
        search={keptSearch(page, address.search).search}
        whyNot={whyNotSave}
      />
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

/** @returns the columns that the address asks for */
export function shownColumns(columns: readonly TableColumn[], address: PageAddress): readonly TableColumn[] {
  return chosenColumns(columns, pageParam(address, "columns"));
}

function options(columns: readonly TableColumn[], address: PageAddress) {
  const shown = new Set(shownColumns(columns, address).map(({ id }) => id));
  return columns.flatMap(({ id, header, choice }) =>
    choice === undefined ? [] : [{ id, label: header, choice, shown: shown.has(id) }],
  );
}

/** Columns on the screen that say something in a file, in their order. */
function takenColumns(page: ViewPage, shown: readonly TableColumn[]): readonly string[] {
  const known = exportableColumns(page);
  return shown.flatMap(({ id }) => (known.includes(id) ? [id] : []));
}

/** The present filters in the list's one form; its columns are named apart. */
function exportSearch(page: ViewPage, address: PageAddress, tenant: string): string {
  const kept = searchInput(keptSearch(page, address.search).search);
  return buildSearch({ ...kept, columns: undefined, tenant });
}
