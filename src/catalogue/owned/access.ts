/** An access token with what it was granted, as the owner of the connection hands it out. */
export interface AccessToken {
  /** Hides what it holds from every way of printing it; `reveal` is for the header alone. */
  readonly token: { reveal(): string };
  readonly scopes: readonly string[];
}

/**
 * Where access tokens come from. Rejections are ArtworkErrors (`not_connected`, `reconnect_required`, or why a
 * renewal failed) and are handed on as they are.
 */
export interface Access<Token extends AccessToken = AccessToken> {
  /** One that should be good at this moment. */
  bearer(signal: AbortSignal): Promise<Token>;
  /** The service said 401 to this one: another one, or the reason why there is none. */
  rejected(token: Token, signal: AbortSignal): Promise<Token>;
  /** The service accepted this one. */
  accepted?(token: Token): void;
}
