"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { useFollowRouter } from "@/components/ui/place";
import { useLive } from "./live-provider";

/**
 * The frame belongs to the tenant too: a link that led into another one has it read again. Who follows the address is told of it.
 * Draws nothing.
 */
export function FollowTenant() {
  const router = useRouter();
  const { tenant } = useLive();
  const named = useSearchParams().get("tenant");
  useFollowRouter();
  useEffect(() => {
    if (named !== null && named !== tenant) router.refresh();
  }, [named, tenant, router]);
  return null;
}
