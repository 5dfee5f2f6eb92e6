import fc from 'fast-check';
import { baseIdOf, type ContestedRow, keyOf, numberedRows } from './transaction-keys.js';

const row = (purchaseId: string, baseId: string, storeTransactionId = baseId): ContestedRow => ({
  purchaseId,
  periodKey: 'p',
  product: 'x',
  store: 'app_store',
  isSandbox: false,
  renewalNumber: 1,
  storeTransactionId,
  baseId,
});

describe('the keys of transactions', () => {
  it('keeps the id of the earliest purchase and numbers the others', () => {
    const [first, second, third] = [row('a', '1'), row('b', '1'), row('c', '1')];
    expect([...numberedRows([third, first, second])]).toEqual([
      [second, '1#2'],
      [third, '1#3'],
    ]);
  });

  it('changes nothing that is numbered already, and numbers again when a purchase is gone', () => {
    const numbered = [row('a', '1'), row('b', '1', '1#2')];
    expect(numberedRows(numbered).size).toBe(0);
    expect([...numberedRows(numbered.slice(1))]).toEqual([[numbered[1], '1']]);
  });

  it('recognizes the ids of numbered rows', () => {
    expect(['1#2', 'GPA.1..0#12', '1', '1#1', '1#x', '#'].map(baseIdOf)).toEqual([
      ...['1', 'GPA.1..0', '1', '1#1', '1#x', '#'],
    ]);
  });

  it('makes all keys unique, whatever the order', () => {
    const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(rows, (some) => {
        const all = some.map(([purchaseId, id], index) => row(`${purchaseId}${index}`, id));
        const idsOf = (changed: Map<ContestedRow, string>): string[] =>
          all.map((one) => keyOf(one, changed.get(one) ?? one.storeTransactionId));
        const ids = idsOf(numberedRows(all));
        expect(new Set(ids).size).toBe(all.length);
        expect(idsOf(numberedRows([...all].reverse()))).toEqual(ids);
      }),
    );
  });
});
