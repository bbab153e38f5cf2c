import { ArtworkError } from '../../errors.ts';
import type { CallTime } from '../request-time.ts';
import type { Dispatchers } from '../dispatchers.ts';
import type { ServicePath } from '../path.ts';
import { protectedError } from '../protected-error.ts';
import type { Answer, Reader } from '../reader.ts';
import { type NeededScopes, requireScopes } from '../scopes.ts';
import type { Access, AccessToken } from './access.ts';

export type ProtectedReader = (path: ServicePath, needed: NeededScopes, time: CallTime) => Promise<Answer>;

export interface ProtectedReaderParts<Token extends AccessToken> {
  readonly read: Reader;
  readonly dispatchers: Dispatchers;
  readonly access: Access<Token>;
  readonly maxBytes: number;
}

/**
 * GETs below `/me` with a bearer token (interface document, Authentication 11): no cookies, no redirects,
 * nothing kept. A token that is answered with 401 is given up once; the next one's 401 is the end of it.
 */
export function createProtectedReader<Token extends AccessToken>(
  parts: ProtectedReaderParts<Token>,
): ProtectedReader {
  const { read, dispatchers, access, maxBytes } = parts;

  const readWith = async (path: ServicePath, needed: NeededScopes, token: Token, time: CallTime) => {
    requireScopes(needed, token.scopes);
    const answer = await read(
      {
        to: ({ origin, prefix }) => ({ dispatcher: dispatchers.for(origin), origin, path: prefix + path }),
        accept: 'application/json',
        maxBytes,
        bearer: headerValue(token),
      },
      time,
    );
    access.accepted?.(token);
    return answer;
  };

  return async (path, needed, time) => {
    let token = await time.race(access.bearer(time.signal));
    try {
      try {
        return await readWith(path, needed, token, time);
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.status !== 401) throw error;
      }
      token = await time.race(access.rejected(token, time.signal));
      return await readWith(path, needed, token, time);
    } catch (error) {
      throw error instanceof ArtworkError ? protectedError(error, needed, token.scopes) : error;
    }
  };
}

/** @throws ArtworkError for a token that no header can carry; what it holds is not told. */
function headerValue({ token }: AccessToken): string {
  const value = token.reveal();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new ArtworkError(
    'reconnect_required',
    'The access token holds characters that no header can carry.',
    {
      next: { tool: 'connect_account', arguments: {}, why: 'A new sign-in brings another token.' },
    },
  );
}
