import { cursorOfNextPage, itemsOf } from './paging.js';

describe('pages', () => {
  it('names the start of the next one', () => {
    expect(cursorOfNextPage({ next_page: '/v2/projects/p/customers?starting_after=a%2Fb%3D&limit=50' })).toBe(
      'a/b=',
    );
    expect(cursorOfNextPage({ next_page: null })).toBeUndefined();
  });

  it('joins them into one list', () => {
    expect(itemsOf(undefined)).toEqual([]);
    expect(
      itemsOf({
        pages: [
          { items: [1, 2], next_page: '/x' },
          { items: [3], next_page: null },
        ],
      }),
    ).toEqual([1, 2, 3]);
  });
});
