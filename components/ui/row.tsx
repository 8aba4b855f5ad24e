import type { ReactNode } from "react";

export interface RowProps {
  readonly children: ReactNode;
  readonly end?: boolean | undefined;
}

/** Things in one line, 8 px apart, that may wrap. */
export function Row({ children, end = false }: RowProps) {
  return (
    <div className="row" data-end={end || undefined}>
      {children}
    </div>
  );
}

/** Things below each other. `gap` in px on the 4 px grid. */
export function Stack({
  children,
  gap = 8,
}: {
  readonly children: ReactNode;
  readonly gap?: 4 | 8 | 12 | 20 | 32 | undefined;
}) {
  return (
    <div className="stack" style={{ gap }}>
      {children}
    </div>
  );
}

/** A small grey line of words. */
export function Note({ children }: { readonly children: ReactNode }) {
  return <p className="note">{children}</p>;
}
