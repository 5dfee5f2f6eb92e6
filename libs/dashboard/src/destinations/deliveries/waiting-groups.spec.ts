import { waitingGroups } from './waiting-groups.js';

const delivery = (attributes: string[], created: number, until: number | null) => ({
  missing_attributes: attributes,
  created_at: created,
  wait_until: until,
});

describe('waiting deliveries', () => {
  it('are grouped by missing attribute, the largest group first', () => {
    const groups = waitingGroups([
      delivery(['$adjustId'], 30, 130),
      delivery(['$fbAnonId', '$idfa'], 20, null),
      delivery(['$fbAnonId', '$idfa'], 10, 110),
    ]);
    expect(groups).toEqual([
      { attributes: ['$fbAnonId', '$idfa'], count: 2, oldestMs: 10, untilMs: 110 },
      { attributes: ['$adjustId'], count: 1, oldestMs: 30, untilMs: 130 },
    ]);
  });

  it('are no group without deliveries', () => {
    expect(waitingGroups([])).toEqual([]);
  });
});
