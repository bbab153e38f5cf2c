import type { ServerResponse } from 'node:http';
import type { Incoming } from './queue.ts';

/** A request that has reached the catalogue, for tests that ask how often one was sent. */
export interface LoggedRequest {
  /** ISO 8601 UTC, when its headers had come. */
  readonly at: string;
  readonly method: string;
  /** Below `{base_url}` where it is. */
  readonly path: string;
  /** Of protected requests alone. */
  readonly query: string;
  /** null as long as no answer has been sent whole. */
  status: number | null;
}

const most = 20_000;

/** The latest requests, the oldest first. No header and no body is kept: they may hold secrets. */
export class RequestLog {
  #requests: LoggedRequest[] = [];

  note({ method, paths, query }: Incoming, response: ServerResponse): void {
    const [path = ''] = paths;
    const logged: LoggedRequest = {
      at: new Date().toISOString(),
      method,
      path,
      query: path === '/me' || path.startsWith('/me/') ? query.toString() : '',
      status: null,
    };
    if (this.#requests.length >= most) this.#requests = this.#requests.slice(most / 2);
    this.#requests.push(logged);
    response.once('finish', () => {
      logged.status = response.statusCode;
    });
  }

  list(): readonly LoggedRequest[] {
    return this.#requests;
  }
}
