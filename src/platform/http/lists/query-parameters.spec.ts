import { PageQuery } from './page-query.js';
import {
  BooleanParameter,
  ChoiceParameter,
  DayParameter,
  ExpandParameter,
  IntParameter,
  readQuery,
  TextParameter,
  TimeParameter,
} from './query-parameters.js';

class ExampleQuery extends PageQuery {
  @TextParameter({ max: 3 })
  name: string | null;

  @ChoiceParameter(['asc', 'desc'], { default: 'asc' })
  direction: string;

  @ChoiceParameter(['failed', 'sent', 'waiting'])
  status: string | null;

  @IntParameter({ min: 7, max: 365, default: 28 })
  days: number;

  @BooleanParameter({})
  all: boolean;

  @DayParameter({})
  day: Date | null;

  @TimeParameter({})
  since: Date | null;

  @ExpandParameter(['app', 'product'])
  expand: ReadonlySet<string>;
}

class SearchQuery extends PageQuery {
  @TextParameter({ required: true })
  identifier: string;
}

describe('query classes', () => {
  it('uses defaults for an empty query', () => {
    expect(readQuery(ExampleQuery, {})).toEqual({
      limit: 20,
      starting_after: null,
      name: null,
      direction: 'asc',
      status: null,
      days: 28,
      all: false,
      day: null,
      since: null,
      expand: new Set(),
    });
  });

  it('reads declared parameters and ignores others', () => {
    const query = readQuery(ExampleQuery, {
      limit: '1000',
      starting_after: 'x',
      direction: 'desc',
      all: 'true',
      day: '2026-01-31',
      since: '0',
      expand: ['app', 'product,app'],
      other: '1',
    });
    expect(query).toMatchObject({ limit: 100, direction: 'desc', all: true, since: new Date(0) });
    expect(query.after?.text).toBe('x');
    expect(query.day).toEqual(new Date('2026-01-31T00:00:00Z'));
    expect(query.expand).toEqual(new Set(['app', 'product']));
    expect(query).not.toHaveProperty('other');
  });

  it.each([
    [{ limit: 'x' }, 'limit must be a whole number.'],
    [{ limit: ['1', '2'] }, 'limit must be given only once.'],
    [{ name: 'long' }, 'name must be 1 to 3 characters.'],
    [{ name: '' }, 'name must be 1 to 3 characters.'],
    [{ direction: 'up' }, 'direction must be asc or desc.'],
    [{ status: 'x' }, 'status must be one of failed, sent, waiting.'],
    [{ days: '6' }, 'days must be a whole number from 7 to 365.'],
    [{ all: '1' }, 'all must be true or false.'],
    [{ day: '2026-02-30' }, 'day must be a day such as 2026-01-31.'],
    [{ since: '-1' }, 'since must be a time in epoch milliseconds.'],
    [{ expand: 'x' }, 'expand cannot be "x"; use app, product.'],
    [{ 'expand[]': 'app' }, 'Use expand= instead of expand[]=.'],
  ])('refuses %j', (raw, message) => {
    expect(() => readQuery(ExampleQuery, raw)).toThrow(message);
  });

  it('names the first invalid parameter, those of the base class first', () => {
    expect(() => readQuery(ExampleQuery, { name: 'long', limit: 'x' })).toThrow(
      'limit must be a whole number.',
    );
  });

  it('ignores names that mean something on objects', () => {
    const query = readQuery(ExampleQuery, { then: 'x', constructor: 'x', toString: 'x' });
    expect(query).toBeInstanceOf(ExampleQuery);
    expect(Object.hasOwn(query, 'then')).toBe(false);
  });

  it('refuses a query without a required parameter', () => {
    expect(() => readQuery(SearchQuery, {})).toThrow('identifier is required.');
  });
});
