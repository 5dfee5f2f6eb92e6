import fc from 'fast-check';
import { PROJECTS_IN_A_LOOK, ProjectTurns } from './project-turns.js';

/** Projects with so much to do, each turn does one piece. */
function arrange(pieces: Record<string, number>, inALook = PROJECTS_IN_A_LOOK) {
  const left = new Map(Object.entries(pieces));
  const looks: string[] = [];
  const passes: string[][] = [];
  const state = { isStopping: false, fails: false };
  const turns = new ProjectTurns({
    look: (after) => {
      looks.push(after);
      if (state.fails) return Promise.reject(new Error('no database'));
      const seen = [...left.keys()]
        .sort()
        .filter((id) => id > after)
        .slice(0, inALook);
      return Promise.resolve({
        due: seen.filter((id) => (left.get(id) ?? 0) > 0),
        last: seen.length === inALook ? (seen.at(-1) ?? null) : null,
      });
    },
    work: (id) => {
      passes.at(-1)?.push(id);
      left.set(id, (left.get(id) ?? 0) - 1);
      return Promise.resolve((left.get(id) ?? 0) > 0);
    },
    isStopping: () => state.isStopping,
  });
  const pass = async (): Promise<string[]> => {
    passes.push([]);
    await turns.pass();
    return passes.at(-1) ?? [];
  };
  return { turns, pass, left, looks, state };
}

describe('turns of projects', () => {
  it('of one with a million pieces and of one with a single piece are one of each', async () => {
    const { turns, pass } = arrange({ large: 1_000_000, small: 1 });
    expect(await pass()).toEqual(['large', 'small']);
    expect(await pass()).toEqual(['large']);
    expect(turns.hasUnfinished).toBe(true);
  });

  it('come up again in every pass while there is more, wherever the look is', async () => {
    const { pass } = arrange({ a: 3, b: 0, c: 1, d: 0, e: 1 }, 2);
    expect(await pass()).toEqual(['a']);
    expect(await pass()).toEqual(['c', 'a']);
    expect(await pass()).toEqual(['e', 'a']);
    expect(await pass()).toEqual([]);
  });

  it('go round, and say when they are back at the start', async () => {
    const { turns, pass, looks } = arrange({ a: 0, b: 0, c: 0 }, 2);
    expect(turns.isAtStart).toBe(true);
    await pass();
    expect(turns.isAtStart).toBe(false);
    await pass();
    expect(turns.isAtStart).toBe(true);
    await pass();
    expect(looks).toEqual(['', 'b', '']);
  });

  it('begin anew when a look failed', async () => {
    const { turns, pass, looks, state } = arrange({ a: 1, b: 1, c: 1 }, 1);
    await pass();
    state.fails = true;
    await expect(turns.pass()).rejects.toThrow('no database');
    state.fails = false;
    await pass();
    expect(looks).toEqual(['', 'a', '']);
  });

  it('end at once when the process stops', async () => {
    const { turns, pass, state } = arrange({ a: 2, b: 1 });
    state.isStopping = true;
    expect(await pass()).toEqual([]);
    expect(turns.hasUnfinished).toBe(false);
  });

  it('come to everybody within one round, and to an end when all is done', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (amounts, inALook) => {
          const pieces = Object.fromEntries(amounts.map((amount, index) => [`p${10 + index}`, amount]));
          const { pass, left } = arrange(pieces, inALook);
          const round = Math.floor(amounts.length / inALook) + 1;
          const served = new Set<string>();
          for (let count = 0; count < round; count++) for (const id of await pass()) served.add(id);
          expect([...served].sort()).toEqual(Object.keys(pieces).filter((id) => pieces[id] !== 0));
          for (let count = 0; count < 6; count++) await pass();
          expect([...left.values()].every((amount) => amount === 0)).toBe(true);
        },
      ),
    );
  });
});
