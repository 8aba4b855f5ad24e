import type { Metadata } from "next";
import { Suspense } from "react";
import { Shell } from "@/components/shell/shell";
import { GalleryPatterns } from "./patterns";
import { GalleryStory } from "./story";
import { NOW } from "./samples";

export const metadata: Metadata = { title: "Gallery" };

interface GalleryProps {
  readonly searchParams: Promise<{ readonly as?: string }>;
}

/** Every component once, with the story of the mocks. Not in the navigation. */
export default async function GalleryPage({ searchParams }: GalleryProps) {
  const { as } = await searchParams;
  return (
    <Shell
      person={{ name: "Mira Okafor", role: "operator" }}
      environment="Production"
      tenant="acme"
      tenants={[
        { name: "acme", href: "/gallery" },
        { name: "globex", href: "/gallery?tenant=globex" },
      ]}
      counts={{ conflicts: 38, outbox: 215, inbox: 9, attention: 49, deadLetters: 27 }}
      now={NOW}
    >
      <Suspense>
        <GalleryStory asTable={as === "table"} />
        <GalleryPatterns />
      </Suspense>
    </Shell>
  );
}
