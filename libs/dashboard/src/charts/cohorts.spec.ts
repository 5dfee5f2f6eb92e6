import { cohortRows, columnsOf, heatOf } from './cohorts.js';

const cell = (cohort: number | string, period: number, value: number) => ({
  cohort,
  period,
  value,
  incomplete: false,
});

describe('cohortRows', () => {
  it('begins with the row of all cohorts, and leaves out cells that are not reached', () => {
    const rows = cohortRows({
      values: [cell(1767225600, 0, 2), cell(1767225600, 1, 1), cell(1769904000, 0, 1), cell('Total', 0, 3)],
    });
    expect(rows.map(({ name, isTotal, cells }) => [name, isTotal, cells.size])).toEqual([
      ['Total', true, 1],
      ['2026-01-01', false, 2],
      ['2026-02-01', false, 1],
    ]);
  });
});

describe('columnsOf', () => {
  const period = (scale: 'absolute' | 'relative') => ({ display_name: '', unit: '#' as const, scale });

  it('returns those of one scale, or all if there is only one', () => {
    const periods = [period('absolute'), period('absolute'), period('relative')];
    expect(columnsOf(periods, 'relative')).toEqual([2]);
    expect(columnsOf(periods, 'absolute')).toEqual([1]);
    expect(columnsOf(periods.slice(0, 2), 'relative')).toEqual([1]);
  });
});

describe('heatOf', () => {
  it.each([
    [100, '%', 0, 45],
    [0, '%', 0, 0],
    [50, '$', 100, 23],
    [-5, '$', 100, 0],
    [1, '#', 0, 0],
  ])('returns for %d %s, with %d as the highest: %d', (value, unit, highest, heat) => {
    expect(heatOf(value, unit, highest)).toBe(heat);
  });
});
