import { fragmentValue } from './fragment-value.js';

describe('the fragment of a mailed link', () => {
  it.each([
    ['token=abc_-9', 'token', 'abc_-9'],
    ['#token=abc', 'token', 'abc'],
    ['#setup=x&token=y', 'token', 'y'],
    ['#token=', 'token', null],
    ['', 'token', null],
    ['#other=abc', 'token', null],
  ])('%s has %s %s', (hash, name, value) => {
    expect(fragmentValue(hash, name)).toBe(value);
  });
});
