import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { ArtworkError } from '../errors.ts';

/**
 * Writes a position in a list as a cursor. Cursors are opaque to hosts, hold the whole position (nothing stays in
 * the server, so they survive a restart), and belong to one tool and all its arguments but `limit` and `cursor`
 * themselves.
 */
export function writeCursor(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  position: unknown,
): string {
  const body = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${binding(tool, args, body)}.${body}`;
}

/**
 * The position that `writeCursor` wrote, or null where there is no cursor.
 * @throws ArtworkError `invalid_arguments` for anything else than a cursor of this tool and these arguments.
 */
export function readCursor<Position extends z.ZodType>(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  position: Position,
): z.output<Position> | null {
  const { cursor, ...again } = args;
  if (cursor === undefined) return null;
  const refused = new ArtworkError(
    'invalid_arguments',
    `This cursor does not belong to this call. Pass a nextCursor of ${tool} unchanged, with the same other arguments, or start again without cursor.`,
    {
      issues: [{ code: 'cursor', message: 'not a cursor of this call', path: ['cursor'] }],
      next: { tool, arguments: again, why: 'It starts again at the first page.' },
    },
  );
  if (typeof cursor !== 'string') throw refused;
  const dot = cursor.indexOf('.');
  const body = cursor.slice(dot + 1);
  if (dot < 0 || cursor.slice(0, dot) !== binding(tool, args, body)) throw refused;
  const parsed = position.safeParse(decoded(body));
  if (!parsed.success) throw refused;
  return parsed.data;
}

/** No position is undefined: what is no JSON is none either. */
function decoded(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Guards against mistakes, not against forgery: whatever a position names is checked again where it is used. */
function binding(tool: string, args: Readonly<Record<string, unknown>>, body: string): string {
  const bound = Object.entries(args)
    .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, bound, body]))
    .digest('base64url')
    .slice(0, 16);
}
