"use client";

import { askOwn, below } from "@/components/ui/base-path";
import { type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { StepUp } from "@/components/feedback/step-up";
import { type ActionState, askedToConfirm, stepUp, type StepUpProof } from "@/components/feedback/use-admin-action";
import { useLive } from "@/components/shell/live-provider";
import { ToolMenu } from "@/components/ui/tool-menu";
import { formatCount } from "@/presentation/format/display-time";
import { formatBytes } from "@/presentation/format/format-bytes";
import { EXPORT_ROWS } from "@/presentation/list/export-writer";
import styles from "./list-tools.module.css";

export interface ExportMenuProps {
  /** Where the file of the list is: `/api/v1/admin/exports/operations`. */
  readonly path: string;
  /** The list's filters as a query string, with the tenant. */
  readonly search: string;
  /** Rows of one file; default those of our own lists. */
  readonly most?: number | undefined;
  /** Ids of the columns on the screen; without them the list has none to choose. */
  readonly shown?: readonly string[] | undefined;
  readonly whyNot?: string | undefined;
}

type Format = "csv" | "json";
const FORMATS: readonly { readonly format: Format; readonly label: string; readonly note: string }[] = [
  { format: "csv", label: "CSV", note: "for spreadsheets" },
  { format: "json", label: "JSON", note: "one row a line" },
];

/** The list with its filters as a file: how many rows came so far, and Cancel. Without script the links download plainly. */
export function ExportMenu({ path, search, shown, whyNot, most = EXPORT_ROWS }: ExportMenuProps) {
  const { state, start, cancel, action } = useListExport();
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
            const href = `${path}${search}&format=${format}${columns}`;
            return (
              <span key={format}>
                <a
                  href={below(href)}
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
        Up to {formatCount(most)} rows, without bodies. Who took it is kept in the audit.
      </p>
      {state.kind === "confirm" && <StepUp action={action} verb="Take the file" />}
      {state.kind !== "idle" && state.kind !== "confirm" && (
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

function exportText(state: Exclude<ExportState, { kind: "idle" | "confirm" }>): string {
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

type ExportState =
  | { readonly kind: "idle" }
  | Extract<ActionState, { kind: "confirm" }>
  | { readonly kind: "running"; readonly rows: number; readonly bytes: number }
  | {
      readonly kind: "done";
      readonly file: string;
      readonly rows: number;
      readonly bytes: number;
      readonly cut: boolean;
    }
  | { readonly kind: "cancelled"; readonly rows: number }
  | { readonly kind: "failed"; readonly message: string };

const NEWLINE = 10;

const REPAINT_MS = 150;

/** Enough of a file's end to hold what says that it was cut. */
const TAIL_BYTES = 200;

const RELEASE_MS = 60_000;

/** Reads an export as it comes, says how many rows came so far, and hands the whole file to the browser only when it is whole. */
function useListExport() {
  const [state, setState] = useState<ExportState>({ kind: "idle" });
  const { tenant } = useLive();
  const running = useRef<AbortController>(undefined);
  const asked = useRef<readonly [href: string, format: "csv" | "json"]>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback((href: string, format: "csv" | "json") => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    asked.current = [href, format];
    setState({ kind: "running", rows: 0, bytes: 0 });
    let rows = 0;
    const progress = (count: number, bytes: number): void => {
      rows = count;
      setState({ kind: "running", rows, bytes });
    };
    take(href, format, stop.signal, progress).then(
      (done) => {
        if (!stop.signal.aborted) setState(done);
      },
      (error: unknown) => {
        if (stop.signal.aborted) setState({ kind: "cancelled", rows });
        else setState({ kind: "failed", message: error instanceof Error ? error.message : "It was interrupted." });
      },
    );
  }, []);
  const cancel = useCallback(() => {
    running.current?.abort();
  }, []);
  /** Proves who the person is, then takes the file that waits. */
  const confirm = async (proof: StepUpProof): Promise<undefined> => {
    const problem = await stepUp(proof, tenant);
    if (problem !== undefined)
      setState((before) => (before.kind === "confirm" ? { ...before, message: problem } : before));
    else if (asked.current !== undefined) start(...asked.current);
  };
  const action = { answer: state.kind === "confirm" ? state : undefined, busy: false, confirm };
  return { state, start, cancel, action };
}

async function take(
  href: string,
  format: "csv" | "json",
  signal: AbortSignal,
  progress: (rows: number, bytes: number) => void,
): Promise<ExportState> {
  const response = await askOwn(href, { signal, cache: "no-store" });
  if (!response.ok || response.body === null) return refused(response);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  let bytes = 0;
  let painted = 0;
  // The first line of a CSV names its columns; a row of JSON comes after its line's end.
  const rowsOf = (): number => (format === "csv" ? Math.max(0, lines - 1) : lines);
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    for (const byte of value) if (byte === NEWLINE) lines += 1;
    if (performance.now() - painted < REPAINT_MS) continue;
    painted = performance.now();
    progress(rowsOf(), bytes);
  }
  const file = fileName(response) ?? `export.${format}`;
  const blob = new Blob(parts, { type: response.headers.get("content-type") ?? "" });
  const end = await blob.slice(-TAIL_BYTES).text();
  const whole = format === "csv" ? undefined : /"count":(\d+),"cut":(true|false)\}\s*$/.exec(end);
  const cut = format === "csv" ? /(^|\n)cut after \d+ rows: /.test(end) : whole?.[2] === "true";
  const rows = whole?.[1] === undefined ? rowsOf() - (cut ? 1 : 0) : Number(whole[1]);
  save(blob, file);
  return { kind: "done", file, rows, bytes, cut };
}

function save(blob: Blob, file: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, RELEASE_MS);
}

function fileName(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
}

async function refused(response: Response): Promise<ExportState> {
  const body = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  if (body["code"] === "auth.step_up_required") return askedToConfirm(body["confirmBy"]);
  const said = body["detail"];
  return {
    kind: "failed",
    message: typeof said === "string" ? said : `The server answered ${String(response.status)}.`,
  };
}
