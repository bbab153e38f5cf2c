import { ArtworkError, type Issue, type Next } from '../../src/errors.ts';
import { MutationError, type MutationResult } from '../../src/mutations/result.ts';

/** An answer about a mutation, whether it came as a result or as an error. */
export interface Told {
  readonly outcome: string | undefined;
  readonly category: string | undefined;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly message: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly next: Next | undefined;
  readonly result: MutationResult | undefined;
}

export async function told(call: Promise<MutationResult>): Promise<Told> {
  try {
    const result = await call;
    const { outcome, error, next } = result;
    const { code, message, details, issues } = error ?? {};
    return { outcome, category: undefined, code, status: undefined, message, details, issues, next, result };
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category, code, status, message, details, issues, next } = error;
    const outcome = error instanceof MutationError ? error.outcome : undefined;
    return { outcome, category, code, status, message, details, issues, next, result: undefined };
  }
}
