/** The identity of a data folder. Its secret never leaves the folder: only proofs that are made with it do. */
export interface FolderIdentity {
  readonly id: string;
  readonly port: number;
  /** HMAC-SHA256 of the purpose and the facts, in hex. */
  prove(purpose: string, facts: readonly string[]): string;
  /** Compares in constant time. */
  isProof(given: string, purpose: string, facts: readonly string[]): boolean;
}
