import { parseSearch, stringifySearch } from '../frame/search.js';
import { filtersOf, filterText, readChartState, selectorsOf } from './chart-state.js';

describe('the address of a chart', () => {
  it('carries every choice there and back', () => {
    const state = {
      range: 'custom',
      from: '2026-01-01',
      to: '2026-03-31',
      resolution: 'month',
      segment: 'country',
      filter: ['country:=:US', 'store:=:app_store'],
      currency: 'EUR',
      compare: 'before',
      draw: 'share',
      revenue_type: 'proceeds',
    };
    expect(readChartState(parseSearch(stringifySearch(state)))).toEqual(state);
  });

  it('drops what it does not know', () => {
    expect(
      readChartState({ range: '5d', from: '2026-02-30', filter: '', other: 'x', segment: 'store' }),
    ).toEqual({ segment: 'store' });
  });
});

describe('filters', () => {
  it('treats them as alternatives if they have one name', () => {
    const texts = [
      filterText('country', 'US'),
      filterText('country', 'GB'),
      filterText('country', 'US'),
      filterText('campaign', 'a:=:b'),
      filterText('offer', ''),
      'nothing',
    ];
    expect(filtersOf(texts)).toEqual([
      { name: 'country', values: ['US', 'GB'] },
      { name: 'campaign', values: ['a:=:b'] },
      { name: 'offer', values: [''] },
    ]);
  });
});

describe('selectors', () => {
  it('keeps those that are set', () => {
    expect(selectorsOf({ revenue_type: 'proceeds', segment: 'country' })).toEqual({
      revenue_type: 'proceeds',
    });
  });
});
