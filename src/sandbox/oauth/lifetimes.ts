/** How long things live, in seconds. The interface document shows no figures (Authentication). */
export interface Lifetimes {
  readonly authorizationCode: number;
  readonly accessToken: number;
  /** Counted anew with each renewal. */
  readonly refreshToken: number;
  /** How long a person may take over the consent page. */
  readonly interaction: number;
  readonly session: number;
}

const day = 24 * 60 * 60;

export const usualLifetimes: Lifetimes = {
  authorizationCode: 60,
  accessToken: 10 * 60,
  refreshToken: 90 * day,
  interaction: 15 * 60,
  session: 14 * day,
};

/** Not a limit of its own: a grant goes when nothing lives under it. */
export const grantLifetime = 3650 * day;
