import { z } from 'zod';
import { clientMutationId } from '../../catalogue/requests/fields.ts';
import { ArtworkError } from '../../errors.ts';
import type { Json } from '../../ledger/canonical.ts';
import { jsonObject } from '../json.ts';

/** What every mutation's arguments hold, in a call and, but for the id, in the ledger. */
export const guarded = { clientMutationId, expectedUpdatedAt: z.string().min(1).nullable() };

/** The arguments as they are meant. @throws ArtworkError `invalid_arguments` naming what can't be */
export function checked<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 20).map(({ code, message, path }) => ({
    code,
    message,
    path: path.map(String),
  }));
  const said = issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('; ');
  throw new ArtworkError('invalid_arguments', said.slice(0, 2_000), { issues });
}

/** @throws ArtworkError `invalid_arguments` where a revision is given although nothing has one yet */
export function requireNoRevision(expectedUpdatedAt: string | null, why: string): void {
  if (expectedUpdatedAt === null) return;
  const message = `expectedUpdatedAt must be null: ${why}`;
  throw new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'revision', message: 'must be null', path: ['expectedUpdatedAt'] }],
  });
}

/** The arguments as the ledger keeps them: what is left out is left out. */
export function intentOf(args: object): { readonly [member: string]: Json } {
  const { clientMutationId: _, ...rest } = { clientMutationId: null, ...args };
  return jsonObject(rest);
}
