import { z } from 'zod';
import { daysIn } from '../model/names/numbers.ts';

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Whether a text is a date, or a time with its zone. */
export function isMoment(text: string): boolean {
  return moment.safeParse(text).success;
}

/** `YYYY-MM-DD`, in UTC. Models do not know it, and count from it what people call yesterday. */
export function today(): string {
  return dayOf(new Date());
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/**
 * The date or time that people mean by other words: `yesterday`, `last week`, `3 days ago`, `24h`, `Monday`, a time
 * without its zone, `16 Nov 2026`, `16.11.2026`. Null for anything else, and for `3/4/2026`, which may be two days.
 */
export function momentMeant(text: string, now = new Date()): string | null {
  if (text.length > longest) return null;
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^(since|from|after|in|within|for)\s+/, '')
    .replace(/^the\s+/, '')
    .replace(/\s+/g, ' ');
  const meant =
    daysWords(words, now) ?? agoWords(words, now) ?? weekdayWords(words, now) ?? written(words, now);
  return meant !== null && isMoment(meant) ? meant : null;
}

const longest = 60;
const dayMs = 24 * 60 * 60_000;

function daysBefore(now: Date, days: number): string {
  return dayOf(new Date(now.getTime() - days * dayMs));
}

const namedDays: Readonly<Record<string, number>> = {
  today: 0,
  now: 0,
  tonight: 0,
  'this morning': 0,
  yesterday: 1,
  'last night': 1,
  'day before yesterday': 2,
  week: 7,
  'this week': 7,
  'last week': 7,
  'past week': 7,
  fortnight: 14,
  month: 30,
  'this month': 30,
  'last month': 30,
  'past month': 30,
  year: 365,
  'this year': 365,
  'last year': 365,
  'past year': 365,
};

function daysWords(words: string, now: Date): string | null {
  return Object.hasOwn(namedDays, words) ? daysBefore(now, namedDays[words] ?? 0) : null;
}

const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const spans: Readonly<Record<string, number>> = {
  minute: 60_000,
  min: 60_000,
  hour: 60 * 60_000,
  h: 60 * 60_000,
  hr: 60 * 60_000,
  day: dayMs,
  d: dayMs,
  week: 7 * dayMs,
  w: 7 * dayMs,
  month: 30 * dayMs,
  year: 365 * dayMs,
  y: 365 * dayMs,
};

function agoWords(words: string, now: Date): string | null {
  const [, count = '', span = ''] =
    /^(?:(?:last|past) )?(\d{1,4}|an?|[a-z]+) ?([a-z]+?)s?(?: ago| before| back)?$/.exec(words) ?? [];
  const number = /^an?$/.test(count) ? 1 : /^\d+$/.test(count) ? Number(count) : numbers.indexOf(count);
  const length = Object.hasOwn(spans, span) ? (spans[span] ?? 0) : 0;
  if (number < 0 || length === 0) return null;
  const then = new Date(now.getTime() - number * length);
  if (Number.isNaN(then.getTime()) || then.getUTCFullYear() < 1970) return null;
  return length < dayMs ? `${then.toISOString().slice(0, 19)}Z` : dayOf(then);
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Of a day of the week the latest one, which may be today unless it is the last one. */
function weekdayWords(words: string, now: Date): string | null {
  const [, last, name = ''] = /^(last )?([a-z]+)$/.exec(words) ?? [];
  const day = weekdays.indexOf(name);
  if (day < 0) return null;
  const since = (now.getUTCDay() - day + 7) % 7;
  return daysBefore(now, since === 0 && last !== undefined ? 7 : since);
}

/** A date or a time as it is written in other ways. */
function written(words: string, now: Date): string | null {
  const [, day, time, seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?: ?utc| ?gmt)?$/.exec(words) ?? [];
  if (day !== undefined && time !== undefined) return `${day}T${time}${seconds}Z`;
  const whole = dayNamed(words.replace(/^(\d{4})\/(\d{1,2})\/(\d{1,2})$/, '$1-$2-$3'));
  // Numbers alone may be anything else.
  if (whole !== null || !/[a-z]/.test(words)) return whole;
  const thisYear = dayNamed(`${words} ${now.getUTCFullYear()}`);
  if (thisYear === null || thisYear <= dayOf(now)) return thisYear;
  return dayNamed(`${words} ${now.getUTCFullYear() - 1}`);
}

/** The day that a text names, if it says nothing else and can be no other day. */
function dayNamed(text: string): string | null {
  const [named] = daysIn(text).filter(({ start, end }) => start === 0 && end === text.length);
  const [only, ...more] = named?.days ?? [];
  return only === undefined || more.length > 0 ? null : only;
}
