/** Writes the stack of a defect, of which the client sees only a failure. */
export function logDefect(defect: unknown): void {
  process.stderr.write(`${String(defect)}\n`);
}
