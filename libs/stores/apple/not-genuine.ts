/** Data that claims to be the store's and for this app, and is not. */
export class NotGenuine extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotGenuine';
  }
}
