import { type Renewal, type Revocation, Secret } from '../../../src/connections/grant.ts';

/** What the service issued at one sign-in and its renewals. */
export interface Family {
  readonly person: string;
  readonly name: string;
}

interface Token {
  readonly family: Family;
  readonly access: string;
  state: 'live' | 'used' | 'revoked';
}

/** Of an access token. */
const seconds = 120;

/**
 * An authorization server that takes a refresh token which comes again after it was used or revoked, to be renewed
 * or to be revoked, for stolen: it then forgets every refresh token of that person.
 */
export class StrictService {
  readonly #tokens = new Map<string, Token>();
  readonly #ended: (family: Family, by: Family) => void;
  #drawn = 0;

  /** `ended` is told of each family that another one's token ends. */
  constructor(ended: (family: Family, by: Family) => void) {
    this.#ended = ended;
  }

  begin(person: string): { readonly access: Secret; readonly refresh: Secret } {
    this.#drawn += 1;
    return this.#issue({ person, name: `grant-${this.#drawn}` });
  }

  accepts(access: string): boolean {
    return [...this.#tokens.values()].some((token) => token.access === access && token.state === 'live');
  }

  /** Of which sign-in a refresh token is; null: the service does not know it. */
  familyOf(refresh: string): Family | null {
    return this.#tokens.get(refresh)?.family ?? null;
  }

  living(): readonly Family[] {
    return [...this.#tokens.values()].filter(({ state }) => state === 'live').map(({ family }) => family);
  }

  renew(refresh: string): Renewal {
    const token = this.#tokens.get(refresh);
    if (token === undefined) return { outcome: 'refused' };
    if (token.state !== 'live') {
      this.#endAll(token.family);
      return { outcome: 'refused' };
    }
    token.state = 'used';
    const { access, refresh: next } = this.#issue(token.family);
    const answer = {
      accessToken: access,
      refreshToken: next,
      expiresInSeconds: seconds,
      scopes: null,
    };
    return { outcome: 'granted', subject: null, answer };
  }

  revoke(refresh: string): Revocation {
    const token = this.#tokens.get(refresh);
    if (token === undefined) return { outcome: 'gone', code: 'invalid_request' };
    if (token.state !== 'live') {
      this.#endAll(token.family);
      return { outcome: 'gone', code: 'invalid_request' };
    }
    token.state = 'revoked';
    return { outcome: 'revoked' };
  }

  /** The person ends the app in the account's Apps area. */
  revokeThere(person: string): void {
    for (const token of this.#tokens.values()) {
      if (token.family.person === person && token.state === 'live') token.state = 'revoked';
    }
  }

  #issue(family: Family): { readonly access: Secret; readonly refresh: Secret } {
    this.#drawn += 1;
    const access = `access-${this.#drawn}`;
    const refresh = `refresh-${this.#drawn}`;
    this.#tokens.set(refresh, { family, access, state: 'live' });
    return { access: new Secret(access), refresh: new Secret(refresh) };
  }

  #endAll(by: Family): void {
    for (const [name, { family, state }] of this.#tokens) {
      if (family.person !== by.person) continue;
      this.#tokens.delete(name);
      if (state === 'live' && family !== by) this.#ended(family, by);
    }
  }
}

export const lifetimeMs = seconds * 1000;
