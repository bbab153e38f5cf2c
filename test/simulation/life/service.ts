import type { Issued, Renewal, Revocation } from '../../../src/connection/oauth-answers.ts';
import { Secret } from '../../../src/connection/row.ts';

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
export const lifetimeMs = seconds * 1000;

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

  begin(person: string): Issued {
    this.#drawn += 1;
    return this.#issue({ person, name: `grant-${this.#drawn}` });
  }

  accepts(access: string): boolean {
    return [...this.#tokens.values()].some((token) => token.access === access && token.state === 'live');
  }

  /** Of which sign-in a refresh token is. */
  familyOf(refresh: string): Family | undefined {
    return this.#tokens.get(refresh)?.family;
  }

  living(): readonly Family[] {
    return [...this.#tokens.values()].filter(({ state }) => state === 'live').map(({ family }) => family);
  }

  renew(refresh: string): Renewal {
    const token = this.#tokens.get(refresh);
    if (token?.state !== 'live') {
      if (token !== undefined) this.#endAll(token.family);
      return { outcome: 'refused' };
    }
    token.state = 'used';
    return { outcome: 'granted', issued: this.#issue(token.family) };
  }

  revoke(refresh: string): Revocation {
    const token = this.#tokens.get(refresh);
    if (token?.state !== 'live') {
      if (token !== undefined) this.#endAll(token.family);
      return 'revoked';
    }
    token.state = 'revoked';
    return 'revoked';
  }

  /** The person ends the app in the account's Apps area. */
  revokeThere(person: string): void {
    for (const token of this.#tokens.values()) {
      if (token.family.person === person && token.state === 'live') token.state = 'revoked';
    }
  }

  #issue(family: Family): Issued {
    this.#drawn += 1;
    const [access, refresh] = [`access-${this.#drawn}`, `refresh-${this.#drawn}`];
    this.#tokens.set(refresh, { family, access, state: 'live' });
    return {
      tokens: { access: new Secret(access), refresh: new Secret(refresh) },
      expiresInSeconds: seconds,
      scopes: null,
      issuer: 'the service',
      subject: family.person,
      name: null,
    };
  }

  #endAll(by: Family): void {
    for (const [name, { family, state }] of this.#tokens) {
      if (family.person !== by.person) continue;
      this.#tokens.delete(name);
      if (state === 'live' && family !== by) this.#ended(family, by);
    }
  }
}
