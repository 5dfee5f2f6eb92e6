/** The data claims to come from the store and to be for this app, but does not. */
export class NotGenuine extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotGenuine';
  }
}
