const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns a new id of a component or a text: 10 characters. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => characters[byte % 64]).join('');
