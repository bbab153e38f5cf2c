/** Seconds since 1970, rounded down: how oidc-provider counts. */
export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
