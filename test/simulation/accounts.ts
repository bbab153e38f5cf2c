import type { Random } from './random.ts';

/** What is changed belongs to the owner; a stranger has rights to nothing of it. */
export type AccountName = 'owner' | 'stranger';

export interface SignIn {
  /** 32 hexadecimal digits: another one with each sign-in. */
  readonly connection: string;
  readonly account: AccountName;
  /** Null: the service does not tell whose account it is. */
  readonly subject: string | null;
  /** The access token. */
  readonly token: string;
  /** Counts the renewals. */
  readonly generation: number;
}

/** The accounts of the simulated service, and the connection that every process of the machine shares. */
export class Accounts {
  readonly #random: Random;
  readonly #time: () => number;
  readonly #ends = new Map<string, number>();
  readonly #accounts = new Map<string, AccountName>();
  #signIns = 0;
  #current: SignIn;

  constructor(random: Random, time: () => number, named: boolean) {
    this.#random = random;
    this.#time = time;
    this.#current = this.signIn('owner', named, random.chance(0.5) ? 40 : 1_000);
  }

  /** The connection as it is stored. */
  get current(): SignIn {
    return this.#current;
  }

  get signIns(): number {
    return this.#signIns;
  }

  accountOf(token: string): AccountName {
    return this.#accounts.get(token) ?? 'stranger';
  }

  accepts(token: string): boolean {
    return (this.#ends.get(token) ?? 0) > this.#time();
  }

  /** Every access token ends. */
  end(): void {
    this.#ends.clear();
  }

  /** @param isCalm an access token outlives every pause of a process */
  renew(isCalm: boolean): SignIn {
    return this.#grant(this.#current, !isCalm && this.#random.chance(0.5) ? 30 : 900);
  }

  /** Somebody signs in anew: nothing that was granted before counts any more. */
  signIn(account: AccountName, named: boolean, seconds = 100_000): SignIn {
    this.#signIns += 1;
    const connection = String(this.#signIns).padStart(32, '0');
    const subject = named ? account : null;
    return this.#grant({ connection, account, subject, token: '', generation: 0 }, seconds);
  }

  #grant(from: SignIn, seconds: number): SignIn {
    const generation = from.generation + 1;
    const token = `access-${this.#signIns}-${generation}`;
    this.#ends.clear();
    this.#ends.set(token, this.#time() + seconds * 1000);
    this.#accounts.set(token, from.account);
    this.#current = { ...from, token, generation };
    return this.#current;
  }
}
