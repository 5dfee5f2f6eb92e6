import { movedTo, placesAfter } from './package-order.js';

const at = (...positions: number[]) => positions.map((position, index) => ({ id: 'abcd'[index]!, position }));

describe('the order of packages', () => {
  it('moves one and keeps the others in theirs', () => {
    expect(movedTo(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
    expect(movedTo(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
  });

  it.each([
    [
      'neighbours change places',
      at(0, 1, 2),
      0,
      1,
      [
        { id: 'b', position: 0 },
        { id: 'a', position: 1 },
      ],
    ],
    [
      'gaps stay',
      at(10, 20, 30),
      2,
      1,
      [
        { id: 'c', position: 20 },
        { id: 'b', position: 30 },
      ],
    ],
    [
      'equal positions are counted anew',
      at(5, 5, 5),
      0,
      2,
      [
        { id: 'b', position: 0 },
        { id: 'c', position: 1 },
        { id: 'a', position: 2 },
      ],
    ],
    ['nothing changes in place', at(0, 1), 1, 1, []],
  ])('%s', (_, packages, from, to, changed) => {
    expect(placesAfter(packages, from, to)).toEqual(changed);
  });
});
