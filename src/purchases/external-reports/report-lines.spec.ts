import type { PurchaseReport } from '../../../libs/external-reports/index.js';
import { monthly, refundOf, reportsOf } from '../../../test/support/external-charges.js';
import type { ReportRow } from './external-purchase-reports.repository.js';
import { REPORT_COLUMNS, reportLines } from './report-lines.js';

function row(report: PurchaseReport, changes: Partial<ReportRow> = {}): ReportRow {
  return {
    ...report,
    appId: 'app1',
    store: 'apple',
    environment: 'production',
    purchaseKey: 'sub_1',
    position: 0,
    storeAnswer: null,
    createdAt: new Date(Date.UTC(2026, 10, 1)),
    sentAt: new Date(Date.UTC(2026, 10, 2)),
    ...changes,
  };
}

const [charge, refund, reversal] = reportsOf([
  monthly,
  refundOf(monthly, 6_050_000),
  refundOf(monthly, -6_050_000, 'txn_back'),
]) as [PurchaseReport, PurchaseReport, PurchaseReport];
const linesOf = (report: ReportRow): string[] => [...reportLines(report)];

describe('the CSV of reports about outside purchases', () => {
  it('has one line for each line of a report', () => {
    expect(REPORT_COLUMNS).toHaveLength(17);
    expect(linesOf(row(charge))).toEqual([
      'oprt1,apple,app1,production,ept1,sub_1,start,2026-11-01T00:00:00.000Z,pro_monthly,EUR,12.1,10,2.1,10,ES,due,2026-11-02T00:00:00.000Z\r\n',
    ]);
  });

  it('has negative refunds as numbers, with what is left of the charge', () => {
    expect(linesOf(row(refund))[0]).toContain(',pro_monthly,EUR,-6.05,-5,-1.05,5,ES,');
  });

  it('counts a withdrawn refund as 0', () => {
    expect(linesOf(row(reversal))[0]).toContain(',refund_reversal,');
    expect(linesOf(row(reversal))[0]).toContain(',EUR,0,0,0,10,ES,');
  });

  it('makes formulas in products harmless', () => {
    const [item] = charge.items;
    if (!item) throw new Error('There is no line.');
    for (const productId of ['=1+1', '+1', '-1', '@sum', '\tx', '\rx']) {
      expect(linesOf(row({ ...charge, items: [{ ...item, productId }] }))[0]).toContain(`'${productId}`);
    }
  });

  it('has a line without amounts for a report about a token', () => {
    const report = row(charge, { event: 'token', purchaseKey: 'ept1', items: [], sentAt: null });
    expect(linesOf(report)).toEqual([
      'oprt1,apple,app1,production,ept1,,token,2026-11-01T00:00:00.000Z,,,,,,,,due,\r\n',
    ]);
  });
});
