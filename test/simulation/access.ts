import type { Random } from './random.ts';

/** What the service says to a refresh token that it takes. */
export interface Granted {
  readonly access: string;
  readonly refresh: string;
  readonly seconds: number;
}

/** What is changed belongs to the owner; a stranger has rights to nothing of it. */
export type AccountName = 'owner' | 'stranger';

/** The tokens of the accounts that the simulated service has, of which one is signed in. */
export class Access {
  readonly #random: Random;
  readonly #time: () => number;
  readonly #access = new Map<string, number>();
  /** Whose each token is, also after it has ended. */
  readonly #accounts = new Map<string, AccountName>();
  #account: AccountName = 'owner';
  #refresh = 'refresh-1';
  /** Those that were given since the account's owner signed in last. */
  #family = new Set(['refresh-1']);
  #tokens = 1;

  constructor(random: Random, time: () => number) {
    this.#random = random;
    this.#time = time;
    this.#access.set('access-1', random.chance(0.5) ? 40_000 : 1_000_000);
    this.#accounts.set('access-1', 'owner');
  }

  /** Who is signed in. */
  get account(): AccountName {
    return this.#account;
  }

  accountOf(token: string): AccountName {
    return this.#accounts.get(token) ?? 'stranger';
  }

  accepts(token: string): boolean {
    return (this.#access.get(token) ?? 0) > this.#time();
  }

  end(): void {
    this.#access.clear();
  }

  renew(token: string): Granted | 'refused' {
    if (!this.#family.has(token)) return 'refused';
    if (token !== this.#refresh) {
      this.#refresh = '';
      this.#access.clear();
      return 'refused';
    }
    return this.#grant(this.#random.chance(0.5) ? 30 : 900);
  }

  /** Somebody signs in anew: nothing that was granted before counts any more. */
  signIn(account: AccountName = 'owner'): Granted {
    this.#account = account;
    this.#family = new Set();
    return this.#grant(100_000);
  }

  #grant(seconds: number): Granted {
    this.#tokens += 1;
    const access = `access-${this.#tokens}`;
    this.#refresh = `refresh-${this.#tokens}`;
    this.#family.add(this.#refresh);
    this.#access.clear();
    this.#access.set(access, this.#time() + seconds * 1000);
    this.#accounts.set(access, this.#account);
    return { access, refresh: this.#refresh, seconds };
  }
}
