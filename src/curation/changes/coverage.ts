import type { FeedName } from '../../catalogue/records/index.ts';
import type { Coverage } from './change.ts';
import { type ChangeEvent, momentOf } from './events.ts';
import type { Naming } from './naming.ts';
import { type FeedPlace, reachesTo } from './read-feeds.ts';
import type { StoredReading } from './readings.ts';

/** How far back both feeds were seen to reach: of the two, the one that reaches less far says it. */
export function coverageOf({ feeds, from }: StoredReading): Coverage {
  const latest = (times: readonly (string | null)[]) =>
    times
      .filter((time) => time !== null)
      .sort((one, other) => Date.parse(one) - Date.parse(other))
      .at(-1) ?? null;
  return {
    oldest: latest([feeds.assets.oldest, feeds.sets.oldest]),
    newest: latest([feeds.assets.newest, feeds.sets.newest]),
    complete: reachesTo(feeds.assets, from.assets) && reachesTo(feeds.sets, from.sets),
  };
}

/** What has to be known beside the lines, in sentences. */
export function coverageWarnings(
  { feeds, from, since }: StoredReading,
  events: readonly ChangeEvent[],
  naming: Naming,
): string[] {
  const untimed = events.filter((event) => momentOf(event) === null).length;
  return [
    ...(['assets', 'sets'] as const).flatMap((feed) => wordsOf(feed, feeds[feed], from[feed], since)),
    ...(untimed === 0
      ? []
      : [`${untimed} changes show no time that can be right: they are told whatever time was asked for.`]),
    ...(naming.unread.size === 0
      ? []
      : [`Could not be read now, so that names are missing: ${[...naming.unread].slice(0, 10).join(', ')}.`]),
  ];
}

function wordsOf(feed: FeedName, place: FeedPlace, from: number, since: string): string[] {
  const name = feed === 'assets' ? 'The feed of Assets' : 'The feed of Sets';
  switch (place.state) {
    case 'gave_up':
      return [
        `${name} was not read as far back as was asked for: its pages lead in a circle, hold more than any feed of recent changes, or are gone before they can be read.`,
      ];
    case 'ended':
      if (reachesTo(place, from)) return [];
      return [
        place.oldest === null
          ? `${name} shows no changes at all.`
          : `${name} reaches back to ${place.oldest} only: what changed from ${since} until then may be missing.`,
      ];
    case 'reading':
    case 'reached':
      return [];
  }
}
