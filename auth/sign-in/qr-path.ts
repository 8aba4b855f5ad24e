import { encode } from "uqr";

export interface QrPath {
  /** Modules along one side, with the quiet border. */
  readonly size: number;
  /** `d` of one SVG path that fills the dark modules. */
  readonly path: string;
}

/** Modules of white around the code, as the standard wants. */
const BORDER = 4;

/** A QR code as the path of an SVG: made here, so that no library and no third party sees the secret in a browser. */
export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const runs = data.flatMap((row, y) =>
    row.flatMap((dark, x) =>
      dark && row[x - 1] !== true
        ? [`M${String(x)} ${String(y)}h${String(runFrom(row, x))}v1h-${String(runFrom(row, x))}z`]
        : [],
    ),
  );
  return { size, path: runs.join("") };
}

function runFrom(row: readonly boolean[], x: number): number {
  const end = row.indexOf(false, x);
  return (end === -1 ? row.length : end) - x;
}
