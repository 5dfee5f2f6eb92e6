import fc from 'fast-check';
import { deletionOrder, type ProjectTable } from './project-tables.js';

/** Tables that reference only tables with smaller numbers, in any order. */
const schemas = fc
  .array(fc.array(fc.nat()), { maxLength: 12 })
  .map((references) =>
    references.map((targets, number): ProjectTable => ({
      name: `t${number}`,
      references: number === 0 ? [] : targets.map((target) => `t${target % number}`),
    })),
  )
  .chain((tables) => fc.shuffledSubarray(tables, { minLength: tables.length }));

describe('the order in which tables are emptied', () => {
  it('has every table once, before all that it references', () => {
    fc.assert(
      fc.property(schemas, (tables) => {
        const order = deletionOrder(tables);
        expect([...order].sort()).toEqual(tables.map(({ name }) => name).sort());
        for (const { name, references } of tables) {
          for (const parent of references) expect(order.indexOf(name)).toBeLessThan(order.indexOf(parent));
        }
      }),
    );
  });

  it('does not depend on the order in which the database names them', () => {
    const tables = ['b', 'a', 'c'].map((name) => ({ name, references: name === 'b' ? ['a'] : [] }));
    expect(deletionOrder(tables)).toEqual(deletionOrder([...tables].reverse()));
  });

  it('does not exist for tables that reference each other in a circle', () => {
    const circle = [
      { name: 'a', references: ['b'] },
      { name: 'b', references: ['a'] },
    ];
    expect(() => deletionOrder(circle)).toThrow('a, b');
  });
});
