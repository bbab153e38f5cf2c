import { onTestFinished } from 'vitest';
import type { Access, AccessToken } from '../../src/catalogue/authorization.ts';
import { createOwned, type Owned, type OwnedOptions } from '../../src/catalogue/owned.ts';

export const protectedScopes = [
  ...['assets:write', 'assets:replace', 'sets:write'],
  ...['groups:write', 'relationships:write'],
];

export const tokenOf = (number: number) => `canary/token+${number}.0123456789abcdef`;

/** Two tokens, the second once the first is rejected; after that none, and this is why. */
export function handOut(scopes: readonly string[] = protectedScopes, then = new Error('no token is left')) {
  const rejected: string[] = [];
  const give = async (): Promise<AccessToken> => {
    if (rejected.length > 1) throw then;
    const value = tokenOf(rejected.length + 1);
    return { token: { reveal: () => value }, scopes };
  };
  const reject: Access['rejected'] = async ({ token }) => {
    rejected.push(token.reveal());
    return give();
  };
  return { rejectedTokens: rejected, bearer: give, rejected: reject };
}

/** A reader of one's own at an address, closed with the test. */
export function ownedAt(
  baseUrl: string,
  access: Access = handOut(),
  onReading?: OwnedOptions<AccessToken>['onReading'],
): Owned {
  const locate = async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin });
  const owned = createOwned({ locate, userAgent: 'test', access, onReading });
  onTestFinished(() => owned.close());
  return owned;
}
