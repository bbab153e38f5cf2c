import { ArtworkError, type ErrorCategory, type ErrorFacts } from '../errors.ts';

/** What a failed mutation adds to an error. */
export interface MutationFacts extends ErrorFacts {
  readonly clientMutationId: string;
  /** Left out where the call tells nothing of the mutation's fate, such as an id that stands for another one. */
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
