"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { useFollowRouter } from "@/components/ui/place";
import { useLive } from "./live-provider";

/** The frame belongs to the tenant too: a link into another tenant has it read again. Draws nothing. */
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
