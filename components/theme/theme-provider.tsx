"use client";

import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { cssVariablesResolver, theme } from "./theme";

export interface ThemeProviderProps {
  /** CSP nonce of this response, for the style tags that Mantine writes. */
  readonly nonce: string;
  readonly children: ReactNode;
}

/** Light, dark or the system's choice, without a flash: the head script sets the attribute before the first paint. */
export function ThemeProvider({ nonce, children }: ThemeProviderProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}
