import { planCharge, type PurchaseReport } from '../../../libs/external-reports/index.js';
import { apple, monthly } from '../../../test/support/external-charges.js';
import { planKnownTax, restatementKey } from './known-tax.js';

const ids = { reportId: 'oprt2', requestIdentifier: '0f8fad5b-d9cb-469f-a165-70867728950e' };
const first = { ...ids, reportId: 'oprt1' };
const withoutTax = { ...monthly, taxMicros: null };

function reported(taxRates: Record<string, number>, state?: PurchaseReport['state']): PurchaseReport {
  const plan = planCharge(withoutTax, [], { ...apple, taxRates }, first);
  if (!plan) throw new Error('nothing was planned');
  return { ...plan.report, ...(state && { state }) };
}

describe('taxes that become known', () => {
  it('completes a report that waited for the tax', () => {
    const waiting = reported({});
    expect(waiting.state).toBe('needs_tax');
    const plan = planKnownTax(monthly, [waiting], { ...apple, taxRates: {} }, ids);
    expect(plan).toMatchObject({ isUpdate: true, report: { id: 'oprt1', state: 'due' } });
    expect(plan?.report.items[0]).toMatchObject({ taxMicros: 2_100_000, isTaxEstimated: false });
  });

  it('restates a report that was sent with an estimate', () => {
    const sent = reported({ ES: 1_000 }, 'sent');
    const plan = planKnownTax(monthly, [sent], { ...apple, taxRates: { ES: 1_000 } }, ids);
    expect(plan).toMatchObject({
      isUpdate: false,
      report: { id: 'oprt2', event: 'restatement', sourceKey: 'restate:oprt1:0', state: 'due' },
    });
    expect(restatementKey('oprt1', [sent, plan?.report as PurchaseReport])).toBe('restate:oprt1:1');
  });

  it('changes nothing while the tax is unknown, or once the invoice named it', () => {
    const context = { ...apple, taxRates: { ES: 1_000 } };
    expect(planKnownTax(withoutTax, [reported({ ES: 1_000 }, 'sent')], context, ids)).toBeNull();
    const sent = {
      ...(planCharge(monthly, [], context, first)?.report as PurchaseReport),
      state: 'sent' as const,
    };
    expect(planKnownTax({ ...monthly, taxMicros: 1 }, [sent], context, ids)).toBeNull();
    expect(planKnownTax(monthly, [], context, ids)).toBeNull();
  });
});
