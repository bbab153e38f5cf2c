/** A SHA-256 digest as X-Upload-SHA256 has it: 64 lowercase hexadecimal digits. */
export type Sha256 = string & { readonly __brand: 'Sha256' };

/** Whether a text is a SHA-256 digest, 64 lowercase hex digits. */
export function isSha256(text: string): text is Sha256 {
  return /^[0-9a-f]{64}$/.test(text);
}

/** A digest that was just computed. @throws TypeError */
export function sha256Of(hex: string): Sha256 {
  if (!isSha256(hex)) throw new TypeError('This is not a SHA-256 digest.');
  return hex;
}
