/** Something that claims to be from the App Store and for this app, and is not. */
export class NotGenuine extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotGenuine';
  }
}
