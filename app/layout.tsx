import "@fontsource-variable/ibm-plex-sans";
import "@fontsource-variable/source-serif-4/opsz.css";
import "@fontsource/ibm-plex-mono/400.css";
import "@fontsource/ibm-plex-mono/500.css";
import "@/components/theme/tokens.css";
import "./globals.css";
import "@/components/theme/vocabulary.css";

import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { readScheme, SCHEME_COOKIE } from "@/components/theme/scheme";

export const metadata: Metadata = {
  title: { default: "Onceboard", template: "%s · Onceboard" },
  description: "See, prove and repair what retries did.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#FBFCFC" },
    { media: "(prefers-color-scheme: dark)", color: "#0F1315" },
  ],
};

/** Reads the cookie of every request, so no page is ever made without one: each answer has a nonce of its own. */
export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const scheme = readScheme((await cookies()).get(SCHEME_COOKIE)?.value);
  return (
    <html lang="en" data-scheme={scheme === "system" ? undefined : scheme} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  );
}
