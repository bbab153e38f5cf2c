/** Origins that `metadataImages` of this catalogue's answers have named: the only foreign ones ever fetched. */
export interface ImageHosts {
  /** Learns from an entity's `metadataImages`. */
  learn(images: unknown): void;
  has(origin: string): boolean;
}

// Enough for any catalogue; a bound because what it holds comes from answers.
const most = 256;
const mostPerAnswer = 16;

export function createImageHosts(): ImageHosts {
  const origins = new Set<string>();
  return {
    learn(images) {
      if (typeof images !== 'object' || images === null) return;
      for (const image of Object.values(images).slice(0, mostPerAnswer)) {
        if (typeof image !== 'string' || !URL.canParse(image)) continue;
        const { origin } = new URL(image);
        // To the end again: the ones seen last are the ones asked for next.
        origins.delete(origin);
        origins.add(origin);
      }
      for (const oldest of origins) {
        if (origins.size <= most) break;
        origins.delete(oldest);
      }
    },
    has: (origin) => origins.has(origin),
  };
}
