import { onTestFinished } from 'vitest';
import { type Access, type AccessToken, protectedScopes } from '../../src/catalogue/authorization.ts';
import { createOwned, type Owned, type OwnedOptions } from '../../src/catalogue/owned.ts';

export interface ScriptedAccess extends Access {
  /** What was asked of it: `bearer`, or `rejected` and the token's number. */
  readonly asked: string[];
}

export const tokenOf = (number: number) => `canary/token+${number}.0123456789abcdef`;

export interface Hand {
  readonly scopes?: readonly string[];
  /** After the last token there is none, and this is why. */
  readonly then?: Error;
  readonly tokens?: readonly string[];
}

/** Hands out one token after the other as they are rejected. */
export function handOut(hand: Hand = {}): ScriptedAccess {
  const tokens = hand.tokens ?? [tokenOf(1), tokenOf(2)];
  const asked: string[] = [];
  const numbers = new Map<AccessToken, number>();
  let current = 0;
  const give = async (): Promise<AccessToken> => {
    const value = tokens[current];
    if (value === undefined) throw hand.then ?? new Error('no token is left');
    const token = { token: { reveal: () => value }, scopes: hand.scopes ?? protectedScopes };
    numbers.set(token, current);
    return token;
  };
  return {
    asked,
    bearer: async () => {
      asked.push('bearer');
      return give();
    },
    rejected: async (token) => {
      asked.push(`rejected ${numbers.get(token)}`);
      current++;
      return give();
    },
  };
}

/** A reader of one's own at an address, closed with the test. */
export function ownedAt(
  baseUrl: string,
  access: Access = handOut(),
  options: Partial<OwnedOptions<AccessToken>> = {},
): Owned {
  const owned = createOwned({
    locate: async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin }),
    userAgent: 'artwork-mcp/0.0.0-test',
    access,
    ...options,
  });
  onTestFinished(() => owned.close());
  return owned;
}
