import { createTheme, rem, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { DARK_TOKENS, LIGHT_TOKENS, type TokenName } from "./tokens";

const petrol: MantineColorsTuple = [
  "#E3F0F5",
  "#C4E1ED",
  "#9AD5EE",
  "#85CBE9",
  "#6FC1E3",
  "#2F86AA",
  "#0B6285",
  "#084A66",
  "#10303E",
  "#06202B",
];
const gray: MantineColorsTuple = [
  "#F7F9F9",
  "#F2F5F5",
  "#E1E6E7",
  "#C5CDD0",
  "#A6B0B4",
  "#879297",
  "#616C72",
  "#465157",
  "#2A3236",
  "#14191C",
];
const dark: MantineColorsTuple = [
  "#E7EBEC",
  "#B0BABE",
  "#8B969B",
  "#69757B",
  "#374247",
  "#232A2E",
  "#161B1E",
  "#0F1315",
  "#0B0E10",
  "#080A0B",
];

const SANS = '"IBM Plex Sans Variable", "IBM Plex Sans", system-ui, sans-serif';
const MONO = '"IBM Plex Mono", ui-monospace, monospace';
const SERIF = '"Source Serif 4 Variable", "Source Serif 4", Georgia, serif';

const controlVars = () => ({
  root: {},
  wrapper: { "--input-height": rem(32), "--input-fz": rem(13), "--input-bd": "var(--ob-line-strong)" },
});
const input = { defaultProps: { size: "xs" } };

/** Mantine dressed in the look (LOOK §15). */
export const theme = createTheme({
  colors: { petrol, gray, dark },
  primaryColor: "petrol",
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  white: "#FFFFFF",
  black: "#14191C",
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: "600" },
  defaultRadius: "md",
  radius: { xs: rem(2), sm: rem(3), md: rem(4), lg: rem(6) },
  spacing: { xs: rem(4), sm: rem(8), md: rem(12), lg: rem(20), xl: rem(32) },
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(15), xl: rem(20) },
  fontWeights: { regular: "400", medium: "500", bold: "600" },
  breakpoints: { sm: "45em", lg: "75em" },
  shadows: { md: "var(--ob-shadow)" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: "xs", variant: "default" },
      vars: () => ({
        root: { "--button-height": rem(32), "--button-fz": rem(13), "--button-padding-x": rem(12) },
      }),
    },
    ActionIcon: { defaultProps: { size: 32, variant: "default" } },
    Input: { defaultProps: { size: "xs" }, vars: controlVars },
    InputWrapper: input,
    TextInput: input,
    PasswordInput: input,
    Textarea: input,
    NumberInput: input,
    Select: { defaultProps: { size: "xs", comboboxProps: { transitionProps: { duration: 120 } } } },
    Checkbox: input,
    Radio: input,
    Table: {
      defaultProps: {
        tabularNums: true,
        stickyHeader: true,
        stickyHeaderOffset: 52,
        highlightOnHover: true,
        verticalSpacing: 0,
      },
    },
    Modal: { defaultProps: { size: 520, radius: "lg", centered: true, overlayProps: { blur: 0 } } },
    Tooltip: { defaultProps: { openDelay: 300 } },
    Popover: { defaultProps: { shadow: "md" } },
    Menu: { defaultProps: { shadow: "md" } },
  },
});

function asVariables(tokens: Readonly<Record<TokenName, string>>): Record<string, string> {
  const variables: Record<string, string> = { "--mantine-primary-color-filled-hover": tokens["accent-hover"] };
  for (const [name, value] of Object.entries(tokens)) variables[`--ob-${name}`] = value;
  const mantine: Record<string, TokenName> = {
    body: "canvas",
    text: "ink",
    dimmed: "ink3",
    placeholder: "ink3",
    default: "surface",
    "default-hover": "hover",
    "default-color": "ink",
    bright: "ink",
    "default-border": "line-mid",
    anchor: "accent",
    error: "broken",
    success: "proven",
    disabled: "sunken",
    "disabled-color": "ink3",
    "disabled-border": "line",
  };
  for (const [name, token] of Object.entries(mantine)) variables[`--mantine-color-${name}`] = tokens[token];
  return variables;
}

/** Sets every token as a CSS variable, per scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { "--ob-sans": SANS, "--ob-mono": MONO, "--ob-serif": SERIF },
  light: asVariables(LIGHT_TOKENS),
  dark: asVariables(DARK_TOKENS),
});
