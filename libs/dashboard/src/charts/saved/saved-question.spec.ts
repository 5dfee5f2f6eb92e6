import { parseSearch, stringifySearch } from '../../frame/search.js';
import { readChartState } from '../chart-state.js';
import { isSameQuestion, parametersOf, searchOf } from './saved-question.js';

const link =
  '?range=custom&from=2026-01-01&to=2026-03-31&resolution=month&segment=country&filter=country%3A%3D%3AUS&filter=country%3A%3D%3AGB&filter=store%3A%3D%3Aapp_store&currency=EUR&compare=before&draw=share&shown=revenue&scale=absolute&revenue_type=proceeds';

it('reproduces every choice of a link', () => {
  const state = readChartState(parseSearch(link));
  const parameters = parametersOf({ ...state, env: 'sandbox' });
  expect(parameters).toEqual({
    range: 'custom',
    start_date: '2026-01-01',
    end_date: '2026-03-31',
    resolution: 'month',
    segment: 'country',
    filters: [
      { name: 'country', values: ['US', 'GB'] },
      { name: 'store', values: ['app_store'] },
    ],
    currency: 'EUR',
    environment: 'sandbox',
    compare: 'before',
    draw: 'share',
    shown: 'revenue',
    scale: 'absolute',
    selectors: { revenue_type: 'proceeds' },
  });
  const { env, ...search } = searchOf(parameters);
  expect(env).toBe('sandbox');
  expect(readChartState(parseSearch(stringifySearch(search)))).toEqual(state);
});

it('names only what was chosen', () => {
  expect(parametersOf({ env: 'both', range: '28d', from: '2026-01-01' })).toEqual({ range: '28d' });
});

it('sorts the days of a custom range', () => {
  expect(parametersOf({ range: 'custom', from: '2026-02-01', to: '2026-01-01' })).toEqual({
    range: 'custom',
    start_date: '2026-01-01',
    end_date: '2026-02-01',
  });
});

it('compares questions without the order of their fields', () => {
  expect(isSameQuestion({ range: '28d', segment: 'store' }, { segment: 'store', range: '28d' })).toBe(true);
  expect(isSameQuestion({ range: '28d' }, { range: '90d' })).toBe(false);
});
