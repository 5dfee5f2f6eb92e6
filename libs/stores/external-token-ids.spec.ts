import { externalTokenIds } from './external-token-ids.js';

const [first, second] = ['a', 'b'].map((digit) => `ept${digit.repeat(32)}`);
const field = (value: unknown): Record<string, unknown> => ({
  external_purchase_token_id: value,
  other: first,
});

describe('ids of tokens in the fields of sellers', () => {
  it('returns them in order, each once', () => {
    expect(externalTokenIds([field(second), null, field(first), undefined, field(second)])).toEqual([
      second,
      first,
    ]);
  });

  it('ignores everything that is not an id', () => {
    const odd = [undefined, null, 5, {}, '', 'ept1', `${first}0`, `EPT${'a'.repeat(32)}`, ` ${first}`];
    expect(externalTokenIds(odd.map(field))).toEqual([]);
    expect(externalTokenIds([{}])).toEqual([]);
  });
});
