import type { UnknownValue } from '../contract.js';

/** The data claims to come from the store and to be for this app, but does not. */
export class NotGenuine extends Error {
  constructor(
    message: string,
    readonly unknown: UnknownValue[] = [],
  ) {
    super(message);
    this.name = 'NotGenuine';
  }
}
