import { sixDigits } from './six-digits.js';

it.each([
  ['123456', '123456'],
  [' 123 456\n', '123456'],
  ['123-456', '123456'],
  ['1234567', '123456'],
  ['12a', '12'],
  ['', ''],
])('%j is read as %j', (typed, digits) => {
  expect(sixDigits(typed)).toBe(digits);
});
