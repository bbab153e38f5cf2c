/** What an outcome rests on. */
export interface Evidence {
  /**
   * `receipt`: the service's answer to the request itself; `lookup`: its own record of the id;
   * `read_back`: the resource as it is now, compared with what was meant.
   */
  readonly by: 'receipt' | 'lookup' | 'read_back';
  readonly certainty: 'certain' | 'likely' | 'unknown';
  readonly says: string;
}

/** Something that a careful person would want to know beside the outcome. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}
