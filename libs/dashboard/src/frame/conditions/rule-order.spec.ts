import { movedTo } from './rule-order.js';

it('moves a rule to the place of another one, past rules that are not shown', () => {
  expect(movedTo(['a', 'x', 'b', 'c'], 'b', 'a')).toEqual(['b', 'a', 'x', 'c']);
  expect(movedTo(['a', 'x', 'b', 'c'], 'a', 'b')).toEqual(['x', 'b', 'a', 'c']);
});
