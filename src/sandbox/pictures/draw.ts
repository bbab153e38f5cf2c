/** A picture of the catalogue's own. */
export interface Drawing {
  /** A slot of `model.ts`, which has its pixels; `profile` as a poster. */
  readonly slot: string;
  readonly title: string;
  /** A second line, such as a show's title and `S01E02`; null: none. */
  readonly subtitle: string | null;
  /** The name of the account that made it; null: it came with the work. */
  readonly creator: string | null;
  readonly languageCode: string | null;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** More than one: an animated picture. */
  readonly frames: number;
  /** The pictures of one series (a Set) share a motif and colours. */
  readonly series: string;
  /** Two pictures with different seeds differ. */
  readonly seed: string;
}

export async function drawPicture(_drawing: Drawing): Promise<Buffer> {
  throw new Error('Not drawn yet.');
}
