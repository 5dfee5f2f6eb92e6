import { type Condition, conditionOf, draftOf, newDraft, operatorsOf, type Field } from './conditions.js';

describe('conditions as they are edited', () => {
  it.each<[Condition]>([
    [{ field: 'country', operator: 'in', value: ['US', 'DE'] }],
    [{ field: 'app_version', operator: '>=', value: '2.1.0', context: 'app1' }],
    [{ field: 'custom_attribute', operator: 'not in', value: ['a', 'b c'], context: 'tier' }],
    [{ field: 'rollout', operator: '<', value: 25 }],
    [{ field: 'refund_reason', operator: 'in', value: ['OTHER', 'NONE'] }],
    [{ field: 'price_usd', operator: '>=', value: 4.99 }],
  ])('returns them as they were: %j', (condition) => {
    expect(conditionOf(draftOf(condition))).toEqual(condition);
  });

  it('takes lists with commas and line ends, and countries in small letters', () => {
    const draft = { ...newDraft('country'), value: ' us, de\n\nfr ,' };
    expect(conditionOf(draft).value).toEqual(['US', 'DE', 'FR']);
  });

  it('leaves text that is no number to the server', () => {
    expect(conditionOf({ ...newDraft('paid_periods'), value: 'two' }).value).toBe('two');
    expect(conditionOf(newDraft('paid_periods')).value).toBe('');
  });

  it('starts with an operator of their field', () => {
    for (const field of Object.keys(operatorsOf) as Field[]) {
      expect(operatorsOf[field]).toContain(newDraft(field).operator);
    }
  });
});
