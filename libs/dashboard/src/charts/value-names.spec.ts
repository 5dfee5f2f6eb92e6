import { valueName } from './value-names.js';

it.each([
  ['store', 'app_store', 'App Store'],
  ['country', 'DE', 'Germany'],
  ['country', 'Other', 'Other'],
  ['platform', 'ios', 'iOS'],
  ['product_id', 'DE', 'DE'],
  [undefined, 'Total', 'Total'],
])('names the %s %s %s', (dimension, value, name) => {
  expect(valueName('en', dimension, value)).toBe(name);
});
