/** What an upload puts where. */
export interface PlacedBytes {
  readonly clientMutationId: string;
  readonly sha256: string;
  readonly slot: string;
  /** A `targetKind` and `targetId`, or the Set or group that the upload goes to. */
  readonly target: { readonly kind: string; readonly id: number | string };
}

/**
 * Uploads, among those that are known, of the same bytes to the same target and slot under another id: most
 * often a repetition by mistake. The caller hands in those of the same service and subject that may have
 * been applied; what this ledger does not hold, such as another machine's, is not found.
 */
export function sameBytesBefore<Known extends PlacedBytes>(
  upload: PlacedBytes,
  known: readonly Known[],
): Known[] {
  return known.filter(
    (other) =>
      other.clientMutationId !== upload.clientMutationId &&
      other.sha256 === upload.sha256 &&
      other.slot === upload.slot &&
      other.target.kind === upload.target.kind &&
      String(other.target.id) === String(upload.target.id),
  );
}
