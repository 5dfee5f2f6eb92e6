import type { RetentionRule } from './retention.queries.js';
import { emptyRule, ruleBodyOf, ruleProblems, ruleValuesOf } from './rule-form.js';

const rule: RetentionRule = {
  object: 'retention_rule',
  id: 'rtrl1',
  app_id: 'app1',
  environment: 'production',
  display_name: 'Long-time subscribers',
  conditions: [{ field: 'paid_periods', operator: '>=', value: 12, context: null }],
  message_id: '0a9fa2d7-62b1-4c5e-9d64-0b7f1f0e3d11',
  alternate_product_id: null,
  promotional_offer: { product_id: 'prod1', offer_id: 'stay' },
  position: 1,
  created_at: 0,
  updated_at: 0,
};

describe('a retention rule as it is edited', () => {
  it.each([
    ['a promotional offer', { promotional_offer: rule.promotional_offer, alternate_product_id: null }],
    ['a switch to another product', { promotional_offer: null, alternate_product_id: 'prod2' }],
    ['no offer', { promotional_offer: null, alternate_product_id: null }],
  ])('becomes the same body again with %s', (_, offer) => {
    expect(ruleBodyOf(ruleValuesOf({ ...rule, ...offer }))).toEqual({
      display_name: 'Long-time subscribers',
      message_id: rule.message_id,
      conditions: [{ field: 'paid_periods', operator: '>=', value: 12 }],
      ...offer,
    });
  });

  it('sends only the offer that is chosen', () => {
    const values = { ...ruleValuesOf(rule), offer: 'none' as const, alternate_product_id: 'prod2' };
    expect(ruleBodyOf(values)).toMatchObject({ promotional_offer: null, alternate_product_id: null });
  });

  it.each([
    ['without a name', { display_name: ' ' }, ['display_name']],
    ['without a message', { message_id: '' }, ['message_id']],
    ['without the product to switch to', { offer: 'switch' as const }, ['alternate_product_id']],
    [
      'without product and id of the offer',
      { offer: 'promotional' as const },
      ['promotional_offer.product_id', 'promotional_offer.offer_id'],
    ],
  ])('rejects one %s', (_, changes, fields) => {
    const problems = ruleProblems({ ...emptyRule, display_name: 'All', message_id: 'm', ...changes });
    expect(Object.entries(problems).flatMap(([name, problem]) => (problem === null ? [] : name))).toEqual(
      fields,
    );
  });
});
