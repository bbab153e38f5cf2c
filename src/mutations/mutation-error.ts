import { clientMutationId as idOfMutation } from '../catalogue/requests/fields.ts';
import { ArtworkError, type ErrorCategory, type ErrorFacts } from '../errors.ts';

/** What a failed mutation adds to an error. */
export interface MutationFacts extends ErrorFacts {
  readonly clientMutationId: string;
  /** Left out where the call tells nothing of the mutation's outcome, such as an id that stands for another one. */
  readonly outcome?: 'refused' | 'not_sent' | undefined;
}

/** A mutation that changed nothing, or a call about one that could not be answered. */
export class MutationError extends ArtworkError {
  readonly clientMutationId: string;
  readonly outcome: 'refused' | 'not_sent' | undefined;

  constructor(category: ErrorCategory, message: string, facts: MutationFacts) {
    super(category, message, facts);
    this.clientMutationId = facts.clientMutationId;
    this.outcome = facts.outcome;
  }
}

/**
 * An error of a call, saying which mutation it was about. It does not say what became of that one: the code that
 * throws an error that does says so there.
 */
export function withMutationId(given: string, error: unknown): unknown {
  const id = idOfMutation.safeParse(given);
  if (!(error instanceof ArtworkError) || error instanceof MutationError || !id.success) return error;
  const { category, message, code, status, details, issues, next } = error;
  const facts = { code, status, details, issues, next, cause: error };
  return new MutationError(category, message, { ...facts, clientMutationId: id.data });
}
