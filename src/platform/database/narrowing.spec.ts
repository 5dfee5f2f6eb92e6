import fc from 'fast-check';
import { Narrowing } from './narrowing.js';

const orNull = fc.option(fc.string(), { nil: null });

/** A list narrowed by two filters and a cursor, all optional. */
function pageOf({ a, b, cursor, direction }: Asked): { name: string; text: string; values: unknown[] } {
  const narrowing = new Narrowing(`page.${direction}`, ['project']);
  const conditions =
    narrowing.when('a', a, (parameter) => `a = ${parameter}`) +
    narrowing.when('b', b, (parameter) => `b = ${parameter}`) +
    narrowing.behind(['x', 'y'], cursor, direction);
  const { name, text } = narrowing.statement(`WHERE project_id = $1${conditions}`);
  return { name, text, values: narrowing.values };
}

const asked = fc.record({
  a: orNull,
  b: orNull,
  cursor: fc.option(fc.tuple(fc.string(), fc.integer()), { nil: null }),
  direction: fc.constantFrom('ASC' as const, 'DESC' as const),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

describe('a narrowed statement', () => {
  it('has one parameter for each value, in order', () => {
    fc.assert(
      fc.property(asked, (request) => {
        const { text, values } = pageOf(request);
        const used = [...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]));
        expect(used).toEqual(values.map((_, index) => index + 1));
        const { a, b, cursor } = request;
        expect(values).toEqual(['project', ...[a, b].filter((value) => value !== null), ...(cursor ?? [])]);
      }),
    );
  });

  it('never has the name of another text', () => {
    fc.assert(
      fc.property(asked, asked, (one, other) => {
        const [a, b] = [pageOf(one), pageOf(other)];
        expect(a.text !== b.text && a.name === b.name).toBe(false);
      }),
    );
  });

  it('compares whole rows, behind in the direction of the list', () => {
    const of = (direction: 'ASC' | 'DESC') => pageOf({ a: null, b: 'x', cursor: ['t', 5], direction }).text;
    expect(of('DESC')).toBe('WHERE project_id = $1 AND b = $2 AND (x, y) < ($3, $4)');
    expect(of('ASC')).toBe('WHERE project_id = $1 AND b = $2 AND (x, y) > ($3, $4)');
  });

  it('has a name of its own within the length that PostgreSQL allows', () => {
    const filters = ['store', 'app_id', 'environment', 'answer_status', 'outcome', 'policy_id', 'reason'];
    const names = filters.map((left) => {
      const narrowing = new Narrowing('requests_of_a_project.narrowed', []);
      const used = filters.filter((name) => name !== left);
      const conditions = used.map((name) => narrowing.when(name, 1, (value) => `${name} = ${value}`));
      return narrowing.statement(`SELECT 1 WHERE true${conditions.join('')}`).name;
    });
    expect(new Set(names).size).toBe(filters.length);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(63);
  });
});
