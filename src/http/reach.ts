import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where requests on behalf of a catalogue may go: a catalogue on this machine may also name this machine. */
export type Reach = 'public' | 'public or loopback';

/** An address that nothing may be fetched from on behalf of this catalogue. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Whether a URL's host is this machine by its name or number. */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const address = literal(hostname);
  return address !== null && rangeOf(address) === 'loopback';
}

/** Whether an address is one that the reach allows: by its number, so private networks are never public. */
export function mayConnect(address: string, reach: Reach): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = rangeOf(address);
  return range === 'unicast' || (range === 'loopback' && reach === 'public or loopback');
}

/**
 * Whether a URL's host is the number of an address beyond the reach. Names are left to `guardedLookup`, which sees what
 * is connected to; behind a proxy it is the proxy that resolves them.
 */
export function isForbiddenNumber(hostname: string, reach: Reach): boolean {
  const address = literal(hostname);
  return address !== null && !mayConnect(address, reach);
}

/** A lookup for sockets that yields only addresses within the reach: what is checked is what is connected to. */
export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => mayConnect(address, reach))) {
        return callback(forbidden(hostname), []);
      }
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
    });
  };
}

function forbidden(hostname: string): ForbiddenAddress {
  return new ForbiddenAddress(`${hostname} is not a public address.`);
}

function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  const range: string = parsed.range();
  // NAT64: the address behind it is the one that is reached.
  if (parsed instanceof ipaddr.IPv6 && range === 'rfc6052') {
    return rangeOf(new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString());
  }
  return range;
}

function literal(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}
