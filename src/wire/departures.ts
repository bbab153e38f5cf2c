import { channel } from 'node:diagnostics_channel';

/** Whether the headers of one request have left. */
export interface Departure {
  readonly left: boolean;
}

interface Watched {
  left: boolean;
}

const watched = new WeakMap<object, Watched>();
let listening = false;

/**
 * Watches for the moment in which undici hands a request's headers to its socket: error codes prove nothing
 * (ECONNRESET comes before sending and after), this event does. `body` is what the request is known by: an
 * object that no other request has as its body, because undici passes it on as it is, through proxies too.
 */
export function watchDeparture(body: object): Departure {
  if (!listening) {
    channel('undici:client:sendHeaders').subscribe(note);
    listening = true;
  }
  const departure: Watched = { left: false };
  watched.set(body, departure);
  return departure;
}

function note(message: unknown): void {
  const body = member(member(message, 'request'), 'body');
  const departure = typeof body === 'object' && body !== null ? watched.get(body) : undefined;
  if (departure !== undefined) departure.left = true;
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
