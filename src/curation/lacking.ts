/** Something that can have a picture in a slot. */
export interface SlotState {
  /** show, season, episode, movie … */
  readonly of: string;
  readonly slot: string;
  readonly has: boolean;
  /** Still to come: an episode that was not aired, a film that was not released. */
  readonly isAhead: boolean;
}

export interface LackedPlaces<Place> {
  readonly missing: readonly Place[];
  /** It lacks this too, and it is still to come, so no creator can have made it. */
  readonly ahead: readonly Place[];
  /** What was never meant to be filled. */
  readonly unmeant: readonly Place[];
}

/**
 * What a Set lacks: the one way in which pages, plans, contact sheets and audits count it. A slot that it has nothing
 * in, of a kind of target, was never meant to be filled: a Set of title cards does not lack posters.
 * @param isMeant also meant, though nothing has a picture there yet
 */
export function lackingIn<Place extends SlotState>(
  places: readonly Place[],
  isMeant: (place: Place) => boolean = () => false,
): LackedPlaces<Place> {
  const begun = new Set(places.filter(({ has }) => has).map(whatOf));
  const lacks = places.filter(({ has }) => !has);
  const meant = lacks.filter((place) => begun.has(whatOf(place)) || isMeant(place));
  const unmeant = new Set(meant);
  return {
    missing: meant.filter(({ isAhead }) => !isAhead),
    ahead: meant.filter(({ isAhead }) => isAhead),
    unmeant: lacks.filter((place) => !unmeant.has(place)),
  };
}

function whatOf({ of, slot }: SlotState): string {
  return `${of} ${slot}`;
}

interface DatedSeason {
  /** 0 holds the specials. */
  readonly number: number | null;
  readonly episodes: readonly {
    readonly id: number;
    /** `YYYY-MM-DD`; null where the catalogue shows none. */
    readonly airDate: string | null;
  }[];
}

/**
 * The episodes that are still to come. One without a date is, unless one after it has been aired, or nothing that it
 * could be compared with has a date. Specials are no part of the order.
 * @param today `YYYY-MM-DD`
 */
export function episodesAhead(seasons: readonly DatedSeason[], today: string): ReadonlySet<number> {
  const inOrder = [...seasons].sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
  const orders = [
    inOrder.filter(({ number }) => number !== 0).flatMap(({ episodes }) => episodes),
    ...inOrder.filter(({ number }) => number === 0).map(({ episodes }) => episodes),
  ];
  const ahead = orders.flatMap((episodes) => {
    const lastAired = episodes.findLastIndex(({ airDate }) => airDate !== null && airDate <= today);
    const anyDate = episodes.some(({ airDate }) => airDate !== null);
    return episodes.filter(({ airDate }, at) =>
      airDate === null ? anyDate && at > lastAired : airDate > today,
    );
  });
  return new Set(ahead.map(({ id }) => id));
}

/** A season whose episodes are all still to come is so too. */
export function isSeasonAhead({ episodes }: DatedSeason, ahead: ReadonlySet<number>): boolean {
  return episodes.length > 0 && episodes.every(({ id }) => ahead.has(id));
}
