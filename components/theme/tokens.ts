/** The colour tokens of the look (LOOK §4 and §6), once per scheme. Names become `--ob-<name>`. */
export const LIGHT_TOKENS = {
  canvas: "#FBFCFC", surface: "#FFFFFF", sunken: "#F2F5F5", hover: "#F2F5F5",
  line: "#E1E6E7", "line-mid": "#C5CDD0", "line-strong": "#879297",
  ink: "#14191C", ink2: "#465157", ink3: "#616C72",
  accent: "#0B6285", "accent-hover": "#084A66", "accent-soft": "#E3F0F5", "on-accent": "#FFFFFF",
  doubt: "#8A4B00", "doubt-mark": "#C27803", "doubt-fill": "#F5B83D", "doubt-soft": "#FFF4DB", "on-doubt": "#2B1A00",
  broken: "#B3261E", "broken-soft": "#FCECEA",
  conflict: "#8A2F73", "conflict-soft": "#F8EBF5",
  proven: "#1E6B44", "proven-soft": "#E6F3EB",
  "c-executed": "#2A3236", "c-replayed": "#579ABC", "c-in-progress": "#0070A4", "c-conflict": "#7D036D",
  "c-expired": "#837966", "c-unknown": "#C88411",
  "c-1": "#1F6D8F", "c-2": "#E5690A", "c-3": "#0CA67E", "c-4": "#780B50", "c-5": "#7B72DB", "c-6": "#6B5C1F",
  backdrop: "rgba(20, 25, 28, 0.32)",
  shadow: "0 1px 2px rgba(16, 24, 28, 0.06), 0 12px 32px -8px rgba(16, 24, 28, 0.18)",
} as const;

export type TokenName = keyof typeof LIGHT_TOKENS;

export const DARK_TOKENS: Readonly<Record<TokenName, string>> = {
  canvas: "#0F1315", surface: "#161B1E", sunken: "#0B0E10", hover: "#1A2125",
  line: "#232A2E", "line-mid": "#374247", "line-strong": "#69757B",
  ink: "#E7EBEC", ink2: "#B0BABE", ink3: "#8B969B",
  accent: "#6FC1E3", "accent-hover": "#9AD5EE", "accent-soft": "#10303E", "on-accent": "#14191C",
  doubt: "#F3B94F", "doubt-mark": "#E2A12E", "doubt-fill": "#E9AE3C", "doubt-soft": "#2C2210", "on-doubt": "#241700",
  broken: "#FF8D7D", "broken-soft": "#341B18",
  conflict: "#E59DD2", "conflict-soft": "#2F1A2A",
  proven: "#72CD9B", "proven-soft": "#11291D",
  "c-executed": "#CFD8DB", "c-replayed": "#3F7998", "c-in-progress": "#68C9FF", "c-conflict": "#D17DBB",
  "c-expired": "#8D7E66", "c-unknown": "#E5B048",
  "c-1": "#64B2D7", "c-2": "#E48457", "c-3": "#84E2C4", "c-4": "#B9528C", "c-5": "#5B76E4", "c-6": "#EFC946",
  backdrop: "rgba(0, 0, 0, 0.6)",
  shadow: "0 0 0 1px #2b3338, 0 16px 40px rgba(0, 0, 0, 0.55)",
};
