import type { ChartPeriod } from './periods.js';
import { isRefunded, isRefundedInFull, refundTransitions } from './refunds.js';
import type { ChartLedgerRow } from './source.model.js';

const row = (kind: string, amountMicros: number | null, purchasedAtMs: number, kindSeq = 0) =>
  ({ kind, amountMicros, purchasedAtMs, kindSeq }) as ChartLedgerRow;

const paid = row('purchase', 10, 0);
const noAmount = row('refund', null, 1);
const amount = row('refund', -10, 2, 1);
const reversal = row('refund_reversal', 10, 3);
const reversalWithoutAmount = row('refund_reversal', null, 2);

describe('refunds of a payment', () => {
  it.each<[string, ChartLedgerRow[], [atMs: number, turn: number][], isInFull: boolean]>([
    ['without an amount', [noAmount], [[1, 1]], true],
    [
      'without an amount, reversed',
      [noAmount, reversalWithoutAmount],
      [
        [1, 1],
        [2, -1],
      ],
      false,
    ],
    ['whose full amount is reported later', [noAmount, amount], [[1, 1]], true],
    ['whose partial amount is reported later', [noAmount, row('refund', -4, 2, 1)], [[1, 1]], false],
    [
      'whose amount is reported later, reversed',
      [noAmount, amount, reversal],
      [
        [1, 1],
        [3, -1],
      ],
      false,
    ],
    [
      'recorded in any order at once',
      [reversal, amount, noAmount],
      [
        [1, 1],
        [3, -1],
      ],
      false,
    ],
    [
      'whose amount has an earlier date',
      [row('refund', null, 2), row('refund', -10, 1, 1), reversal],
      [
        [1, 1],
        [3, -1],
      ],
      false,
    ],
    [
      'without an amount, reversed and repeated',
      [noAmount, reversalWithoutAmount, row('refund', null, 3, 1)],
      [
        [1, 1],
        [2, -1],
        [3, 1],
      ],
      true,
    ],
    ['in two parts', [row('refund', -5, 1), row('refund', -5, 2, 1)], [[1, 1]], true],
  ])('refunds it or counts it as paid again: %s', (_, rows, turns, isInFull) => {
    const period = { rows: [paid, ...rows] } as ChartPeriod;
    expect([...refundTransitions(period)].map(([{ purchasedAtMs }, turn]) => [purchasedAtMs, turn])).toEqual(
      turns,
    );
    expect(isRefunded(period)).toBe(turns.at(-1)?.[1] === 1);
    expect(isRefundedInFull(period, () => true)).toBe(isInFull);
  });
});
