"use client";

import { useState, type MouseEvent } from "react";
import { ToolMenu } from "@/components/ui/tool-menu";
import { formatCount } from "@/presentation/format/display-time";
import { formatBytes } from "@/presentation/format/format-bytes";
import { EXPORT_ROWS } from "@/presentation/list/export-writer";
import type { ViewPage } from "@/presentation/list/saved-view";
import { useListExport, type ExportState } from "./use-list-export";
import styles from "./list-tools.module.css";

export interface ExportMenuProps {
  readonly page: ViewPage;
  /** The list's filters as a query string, with the tenant. */
  readonly search: string;
  /** Ids of the columns on the screen; without them the list has none to choose. */
  readonly shown?: readonly string[] | undefined;
  readonly whyNot?: string | undefined;
}

const FORMATS = [
  { format: "csv", label: "CSV", note: "for spreadsheets" },
  { format: "json", label: "JSON", note: "one row a line" },
] as const;

/** The list with its filters as a file: how many rows came so far, and Cancel. Without script the links download plainly. */
export function ExportMenu({ page, search, shown, whyNot }: ExportMenuProps) {
  const { state, start, cancel } = useListExport();
  const [all, setAll] = useState(false);
  const columns = all || shown === undefined ? "" : `&columns=${shown.join(",")}`;
  const running = state.kind === "running";
  return (
    <ToolMenu label={running ? `Export, ${formatCount(state.rows)} rows` : "Export"}>
      <h3>This list with its filters, whatever page it is on</h3>
      {whyNot === undefined && shown !== undefined && <Columns all={all} onChange={setAll} />}
      {whyNot === undefined ? (
        <div className={styles["formats"]}>
          {FORMATS.map(({ format, label, note }) => {
            const href = `/api/v1/admin/exports/${page}${search}&format=${format}${columns}`;
            return (
              <span key={format}>
                <a
                  href={href}
                  download
                  onClick={(event: MouseEvent) => {
                    event.preventDefault();
                    if (!running) start(href, format);
                  }}
                >
                  {label}
                </a>
                <small>{note}</small>
              </span>
            );
          })}
        </div>
      ) : (
        <p className={styles["said"]}>{whyNot}</p>
      )}
      <p className={styles["said"]}>
        Up to {formatCount(EXPORT_ROWS)} rows, masked like the list, without bodies. Who took it is kept in the audit.
      </p>
      {state.kind !== "idle" && (
        <div className={styles["progress"]}>
          <span role="status">{exportText(state)}</span>
          {running && (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
        </div>
      )}
    </ToolMenu>
  );
}

function Columns({ all, onChange }: { readonly all: boolean; readonly onChange: (all: boolean) => void }) {
  return (
    <div className={styles["options"]} role="radiogroup" aria-label="Columns of the file">
      {[false, true].map((value) => (
        <label key={String(value)}>
          <input
            type="radio"
            name="export-columns"
            checked={all === value}
            onChange={() => {
              onChange(value);
            }}
          />
          {value ? "All columns" : "The columns shown"}
        </label>
      ))}
    </div>
  );
}

function exportText(state: Exclude<ExportState, { kind: "idle" }>): string {
  switch (state.kind) {
    case "running":
      return `${formatCount(state.rows)} rows so far, ${formatBytes(String(state.bytes))}`;
    case "done":
      return state.cut
        ? `${state.file}: cut after ${formatCount(state.rows)} rows. Narrow the filters for the rest.`
        : `${state.file}: ${formatCount(state.rows)} ${state.rows === 1 ? "row" : "rows"}, whole, ${formatBytes(String(state.bytes))}`;
    case "cancelled":
      return `Cancelled after ${formatCount(state.rows)} rows. No file was kept.`;
    case "failed":
      return `No file: ${state.message}`;
  }
}
