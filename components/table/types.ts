import type { ReactNode } from "react";
import type { PlaceChange } from "@/components/ui/place";

export interface TableColumn {
  readonly id: string;
  readonly header: string;
  /** The header is only spoken: for checkboxes and row actions. */
  readonly hiddenHeader?: boolean | undefined;
  readonly align?: "left" | "right" | undefined;
  /** Width in px; without it as wide as the content. */
  readonly width?: number | undefined;
  /** Takes the room that is left; its text may be cut with …. */
  readonly grow?: boolean | undefined;
  /** May wrap to several lines (a verdict is never cut). */
  readonly wrap?: boolean | undefined;
  /** Sorting happens on the server: the address that sorts by this column, and the present direction. */
  readonly sort?: { readonly href: string; readonly direction?: "asc" | "desc" | undefined } | undefined;
  /** Place in the two-line record of the phone: `left`/`right` fill both lines in order, `full` is a line of its own. */
  readonly phone: "left" | "right" | "full" | "hidden";
  /** Hidden below 1200 px. */
  readonly wide?: boolean | undefined;
  /** Hidden beside an open pane. */
  readonly roomy?: boolean | undefined;
  /** May be hidden by `columns=`: shown until somebody hides it, or hidden until somebody asks for it. */
  readonly choice?: "on" | "off" | undefined;
  /** Its cell carries the link of the row (default: the first column that is `left` on the phone); no link inside it. */
  readonly link?: boolean | undefined;
}

export interface TableRow {
  readonly id: string;
  /** Spoken name of the row: "Payment €12,480.00, unknown". */
  readonly label: string;
  /** Where the row leads. */
  readonly href?: string | undefined;
  /** Opens it beside the list instead: what the address says then. */
  readonly place?: PlaceChange | undefined;
  /** Its own page, where it opens beside the list. */
  readonly page?: string | undefined;
  /** What `c` copies: the whole id. */
  readonly copy?: string | undefined;
  /** Its detail is shown with the table; of a row with a `place` the address says it. */
  readonly current?: boolean | undefined;
  /** A heading line before this row. */
  readonly group?: ReactNode;
  /** Rendered cells by column id. */
  readonly cells: Readonly<Record<string, ReactNode>>;
}
