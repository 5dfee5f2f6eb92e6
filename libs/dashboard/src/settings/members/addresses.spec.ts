import { addressesIn } from './addresses.js';

describe('addresses in a text', () => {
  it.each([
    ['a@x.io', ['a@x.io']],
    ['a@x.io, b@x.io\nc@x.io;d@x.io e@x.io', ['a@x.io', 'b@x.io', 'c@x.io', 'd@x.io', 'e@x.io']],
    ['A@x.io, a@X.io', ['a@x.io']],
    ['Ada Lovelace <ada@x.io>, b@x.io', ['ada@x.io', 'b@x.io']],
    [' ,\n; ', []],
    ['not-an-address', ['not-an-address']],
  ])('%j', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });
});
