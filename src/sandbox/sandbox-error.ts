/** A failure that a person can fix: one line that says what is wrong and what to do. Never a secret. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** The `code` of a failed system call (`EADDRINUSE`, `ENOENT`), or null for any other error. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
