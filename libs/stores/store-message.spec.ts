import { storeMessage } from './store-message.js';

describe("a store's message", () => {
  it.each([
    ['Invalid API Key provided: rk_live_51Abc***xyz', 'Invalid API Key provided: the key'],
    ['bad token ya29.a0AfH6-x_y.z given', 'bad token the key given'],
    ['Authorization: Bearer abc.def-123~x+/==, again', 'Authorization: the key, again'],
    ['eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln is old', 'the key is old'],
    ['The purchase token was not found.', 'The purchase token was not found.'],
  ])('repeats it without credentials: %s', (said, kept) => {
    expect(storeMessage(said)).toBe(kept);
  });

  it('shortens it only after that, so that no half of a key is left', () => {
    expect(storeMessage(`x ya29.${'a'.repeat(500)}`, 10)).toBe('x the key');
  });
});
