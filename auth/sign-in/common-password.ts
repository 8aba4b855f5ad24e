let known: Promise<ReadonlySet<string>> | undefined;

/** Read at the first password that somebody chooses: no other request needs them. */
async function readKnown(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].map(String));
}

/**
 * Whether a password is one of those that leaked lists have most often, which guessers try first (NIST SP 800-63B, 3.1.1.2), in whatever case.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readKnown();
  return (await known).has(password.toLowerCase());
}

export const COMMON_PASSWORD_WORDS =
  "This password is one of the most common ones, which are guessed first. Choose another.";
