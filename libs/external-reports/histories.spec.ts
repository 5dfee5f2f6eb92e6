import fc from 'fast-check';
import {
  apple,
  chargeOf,
  google,
  monthly,
  refundOf,
  reportsOf,
} from '../../test/support/external-charges.js';
import { AppleReportRules } from '../../test/support/apple-report-rules.js';
import { FakeExternalTransactions } from '../../test/support/fake-play/fake-external-transactions.js';
import { currentItems } from './history.js';
import { type Charge, type GoogleReport, planCharge, withExternalToken, withNewToken } from './index.js';

interface Step {
  act: 'charge' | 'change' | 'payment' | 'refund' | 'reversal';
  micros: number;
  taxBps: number;
  of: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('charge', 'charge', 'change', 'payment', 'refund', 'refund', 'reversal'),
  micros: fc.integer({ min: 1, max: 99_999_999 }),
  taxBps: fc.integer({ min: 0, max: 2_700 }),
  of: fc.nat({ max: 20 }),
});

/** Ledger rows that a store could cause: no refund exceeds its charge, no reversal exceeds its refunds. */
function ledgerOf(steps: readonly Step[]): Charge[] {
  const rows: Charge[] = [];
  const charges: { row: Charge; leftMicros: number; backMicros: number }[] = [];
  let month = 0;
  let productId = monthly.productId;
  for (const { act, micros, taxBps, of } of steps) {
    const number = rows.length + 1;
    const names = { sourceKey: `txn_${number}`, periodKey: `in_${number}`, transactionId: `in_${number}` };
    const target = charges[of % Math.max(1, charges.length)];
    if (act === 'charge' || act === 'change' || !target) {
      if (act === 'change') productId = `pro_${number}`;
      const money = { amountMicros: micros, taxMicros: Math.floor((micros * taxBps) / (10_000 + taxBps)) };
      const row = chargeOf(month, { ...names, ...money, productId });
      month = Math.min(month + 1, 12);
      charges.push({ row, leftMicros: micros, backMicros: 0 });
      rows.push(row);
    } else if (act === 'payment') {
      const row = chargeOf(Math.max(0, month - 1), { ...names, kind: 'proration', period: null, productId });
      charges.push({ row, leftMicros: row.amountMicros ?? 0, backMicros: 0 });
      rows.push(row);
    } else if (act === 'refund') {
      const back = of % 2 === 0 ? target.leftMicros : Math.min(micros, target.leftMicros);
      if (back === 0) continue;
      target.leftMicros -= back;
      target.backMicros += back;
      rows.push(refundOf(target.row, back, names.sourceKey));
    } else {
      const again = of % 2 === 0 ? target.backMicros : Math.min(micros, target.backMicros);
      if (again === 0) continue;
      target.leftMicros += again;
      target.backMicros -= again;
      rows.push(refundOf(target.row, -again, names.sourceKey));
    }
  }
  return rows;
}

const history = fc.array(step, { minLength: 1, maxLength: 25 }).map(ledgerOf);
const total = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

describe('any history of charges, refunds and reversals', () => {
  it('gives one report for each ledger row, in order, and Apple accepts all of them', () => {
    fc.assert(
      fc.property(history, (rows) => {
        const reports = reportsOf(rows);
        expect(reports.map(({ sourceKey }) => sourceKey)).toEqual(rows.map(({ sourceKey }) => sourceKey));
        const store = new AppleReportRules();
        for (const { body, state } of reports) {
          expect(state).toBe('due');
          expect(store.accept(JSON.parse(JSON.stringify(body)) as Record<string, unknown>)).toEqual({
            status: 200,
            body: {},
          });
        }
      }),
    );
  });

  it('adds up to the ledger', () => {
    fc.assert(
      fc.property(history, (rows) => {
        const standing = currentItems(reportsOf(rows)).filter(({ isWithdrawn }) => !isWithdrawn);
        const signed = standing.map(
          ({ refundOf: of, amountMicros }) => (amountMicros ?? 0) * (of === null ? 1 : -1),
        );
        expect(total(signed)).toBe(total(rows.map(({ amountMicros }) => amountMicros)));
      }),
    );
  });

  it('returns the whole tax with the whole amount', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 6 });
    const charge = fc.record({
      more: fc.integer({ min: 1, max: 5_000_000 }),
      taxBps: fc.nat({ max: 9_999 }),
    });
    fc.assert(
      fc.property(parts, charge, (returned, { more, taxBps }) => {
        const amountMicros = total(returned) + more;
        const taxMicros = Math.floor((amountMicros * taxBps) / 10_000);
        const sale = { ...monthly, amountMicros, taxMicros };
        const refunds = [...returned, more].map((micros, index) => refundOf(sale, micros, `txn_r${index}`));
        const items = currentItems(reportsOf([sale, ...refunds]));
        expect(total(items.slice(1).map((item) => item.taxMicros))).toBe(taxMicros);
        expect(items.at(-1)?.netMicros).toBe(0);
      }),
    );
  });

  it('gives one report for each ledger row, in order, and Google accepts those with a token of their own', () => {
    fc.assert(
      fc.property(history, (rows) => {
        let reports = reportsOf(rows, google);
        expect(reports.map(({ sourceKey }) => sourceKey)).toEqual(rows.map(({ sourceKey }) => sourceKey));
        const ids = reports.map(({ id }) => id);
        // Each change of the product gets its token.
        for (let number = 2; reports.some(({ state }) => state === 'needs_token'); number++) {
          const token = { id: `ept${number}`, environment: 'production' as const, externalPurchaseId: null };
          reports = withNewToken(reports, { ...google, token }, null);
        }
        expect(reports.map(({ id }) => id)).toEqual(ids);
        const store = new FakeExternalTransactions();
        // Google cannot take a refund back, so a refund after a reversal may exceed what it knows.
        const hasReversal = rows.some(({ kind }) => kind === 'refund_reversal');
        let sum = 0;
        for (const { body, state, items, tokenId } of reports) {
          if (body === null) {
            expect(state).toBe('manual');
            continue;
          }
          const report = body as GoogleReport;
          const { externalTransactionId: id } = report;
          const isNew = report.call === 'create';
          const sent =
            isNew && report.needsToken ? withExternalToken(report.body, tokenId ?? '') : report.body;
          const answer = store.answer({
            method: 'POST',
            path: isNew ? '/externalTransactions' : `/externalTransactions/${id}:refund`,
            query: new URLSearchParams(isNew ? { externalTransactionId: id } : {}),
            body: sent as unknown as Record<string, unknown>,
          });
          if (!hasReversal) expect(answer).toMatchObject({ status: 200 });
          sum += total(items.map(({ amountMicros }) => amountMicros)) * (isNew ? 1 : -1);
        }
        const isComplete = reports.every(({ state }) => state === 'due');
        if (isComplete) expect(sum).toBe(total(rows.map(({ amountMicros }) => amountMicros)));
      }),
    );
  });

  it('depends only on the rows before', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: 25 }), (rows, count) => {
        const early = rows.slice(0, count);
        expect(reportsOf(rows.slice(count), apple, reportsOf(early))).toEqual(reportsOf(rows));
        const [row] = rows;
        if (!row) return;
        const ids = { reportId: 'oprt1', requestIdentifier: '00000000-0000-4000-8000-000000000001' };
        expect(planCharge(row, [], apple, ids)).toEqual(planCharge(row, [], apple, ids));
      }),
    );
  });
});
