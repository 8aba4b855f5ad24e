import type { Metadata } from "next";
import { Gallery } from "@/components/parts/gallery";

export const metadata: Metadata = { title: "Parts" };

/** A page of the development server alone: next.config.ts says which files are pages there. */
export default function PartsPage() {
  return <Gallery />;
}
