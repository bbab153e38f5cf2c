import { ArtworkError, type Next } from '../errors.ts';
import type { Connections } from './connections.ts';
import type { SignIn } from './sign-in/sign-ins.ts';

/** How the sign-in that was begun last in this process stands. */
export type SignInStanding =
  | { readonly state: 'waiting'; readonly url: string; readonly expiresAt: string }
  | { readonly state: 'done' }
  | {
      readonly state: 'failed';
      readonly code: string;
      readonly message: string;
      readonly next: Next;
    };

/** Sign-ins that go on in the background of a host; whoever began one asks later how it went. */
export interface PendingSignIn {
  /** @throws what `Connections.signIn` throws */
  begin(scopes: readonly string[]): Promise<SignIn>;
  latest(): SignInStanding | null;
}

/** No call of ours: a person who declined, or did not come, is not sent to the page again unasked. */
const askThePerson: Next = {
  why: 'The person decides whether to sign in again: ask them; connect_account then answers with a new address.',
};

export function createPendingSignIn(connections: Pick<Connections, 'signIn'>): PendingSignIn {
  let latest: SignInStanding | null = null;
  let current = 0;
  return {
    async begin(scopes) {
      const signIn = await connections.signIn({ scopes });
      current += 1;
      const own = current;
      const settle = (standing: SignInStanding) => {
        // One that ends late says nothing about the one that came after it.
        if (own === current) latest = standing;
      };
      settle({ state: 'waiting', url: signIn.url, expiresAt: signIn.expiresAt });
      signIn.done.then(
        () => settle({ state: 'done' }),
        (error: unknown) => {
          const known = error instanceof ArtworkError;
          const code = known ? error.code : 'internal';
          settle({
            state: 'failed',
            code,
            message: known ? error.message : 'The sign-in failed inside this server.',
            next: (known ? error.next : undefined) ?? askThePerson,
          });
        },
      );
      return signIn;
    },
    latest: () => latest,
  };
}
