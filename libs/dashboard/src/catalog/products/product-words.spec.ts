import { microsOf } from './product-words.js';

describe('a typed price', () => {
  it.each([
    ['9.99', 9_990_000],
    ['9,99', 9_990_000],
    ['0', 0],
    [' 1200 ', 1_200_000_000],
    ['0.000001', 1],
    ['', null],
    ['-1', null],
    ['1.2.3', null],
    ['9.99 USD', null],
  ])('%j is %j millionths', (typed, micros) => {
    expect(microsOf(typed)).toBe(micros);
  });
});
