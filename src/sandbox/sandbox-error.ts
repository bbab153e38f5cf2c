/** A failure that a person can fix: one line that says what is wrong and what to do. Never a secret. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** The `code` of a failed system call (`EADDRINUSE`, `ENOENT`), or null for any other error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The error for something in the data folder that can't be used; a defect is returned unchanged. */
export function unusable(file: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === null) return error;
  return new SandboxError(`${file} can't be used (${code}). Mend that, or choose another data folder.`);
}
