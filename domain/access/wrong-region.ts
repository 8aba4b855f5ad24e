import { AppError } from "@/domain/errors";

/**
 * The tenant's keys live elsewhere; here nobody can know what they stand for, so nothing is executed.
 * @param homeRegion where to send it, when the caller may know
 */
export function wrongRegion(homeRegion: string | undefined): AppError {
  return new AppError("tenant.wrong_region", 421, "This tenant belongs to another region", {
    detail:
      "Nothing was recorded or executed here. Send the same request with the same key to the tenant's home region.",
    extensions: { safeNewKey: false, ...(homeRegion !== undefined && { homeRegion }) },
  });
}
