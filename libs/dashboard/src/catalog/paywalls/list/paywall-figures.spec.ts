import { figuresOf } from './paywall-figures.js';

const segment = (id: string, name: string) => ({
  id,
  display_name: name,
  is_total: id === '',
  is_other: false,
  chartable: true,
  tabulable: true,
});

describe('figures of paywalls', () => {
  it('reads viewers and conversions by the id of a segment', () => {
    const total = {
      Total: { 'Paywall Viewers': 4, 'Initial Conversions': 2 },
      Summer: { 'Paywall Viewers': 4, 'Initial Conversions': 1 },
      Winter: { 'Paywall Viewers': 0, 'Initial Conversions': 0 },
    };
    const segments = [segment('', 'Total'), segment('pw1', 'Summer'), segment('pw2', 'Winter')];
    const figures = figuresOf({ summary: { total }, segments });
    expect(figures.get('pw1')).toEqual({ viewers: 4, converted: 0.25 });
    expect(figures.get('pw2')).toEqual({ viewers: 0, converted: null });
    expect(figures.get('pw3')).toBeUndefined();
  });
});
