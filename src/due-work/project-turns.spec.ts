import fc from 'fast-check';
import { AHEAD_MS, PROJECTS_IN_A_LOOK, ProjectTurns } from './project-turns.js';

const MINUTE_MS = 60_000;

/** Projects with so much to do since 0, each turn does one piece. */
function arrange(pieces: Record<string, number>, inALook = PROJECTS_IN_A_LOOK) {
  const left = new Map(Object.entries(pieces));
  /** When those that have nothing to do now will have a piece (ms). */
  const later = new Map<string, number>();
  const looks: string[] = [];
  const passes: string[][] = [];
  const state = { isStopping: false, fails: false, nowMs: 0 };
  const dueAtMs = (projectId: string): number => ((left.get(projectId) ?? 0) > 0 ? 0 : Infinity);
  const nextMs = (projectId: string): number =>
    Math.min(dueAtMs(projectId), later.get(projectId) ?? Infinity);
  const turns = new ProjectTurns({
    nowMs: () => state.nowMs,
    look: (after) => {
      looks.push(after);
      if (state.fails) return Promise.reject(new Error('no database'));
      const seen = [...left.keys()]
        .sort()
        .filter((id) => id > after)
        .slice(0, inALook);
      return Promise.resolve({
        soon: seen
          .map((projectId) => ({ projectId, dueAtMs: nextMs(projectId) }))
          .filter((due) => due.dueAtMs <= state.nowMs + AHEAD_MS),
        last: seen.length === inALook ? (seen.at(-1) ?? null) : null,
      });
    },
    work: ({ projectId }) => {
      passes.at(-1)?.push(projectId);
      if ((later.get(projectId) ?? Infinity) <= state.nowMs) later.delete(projectId);
      else left.set(projectId, (left.get(projectId) ?? 0) - 1);
      const next = nextMs(projectId);
      return Promise.resolve(next === Infinity ? null : next);
    },
    isStopping: () => state.isStopping,
  });
  const pass = async (): Promise<string[]> => {
    passes.push([]);
    await turns.pass();
    return passes.at(-1) ?? [];
  };
  return { turns, pass, left, later, looks, state };
}

describe('turns of projects', () => {
  it('of one with a million pieces and of one with a single piece are one of each', async () => {
    const { turns, pass } = arrange({ large: 1_000_000, small: 1 });
    expect(await pass()).toEqual(['large', 'small']);
    expect(await pass()).toEqual(['large']);
    expect(turns.hasUnfinished).toBe(true);
  });

  it('come up again in every pass while there is more, wherever the look is', async () => {
    const { pass } = arrange({ a: 20, b: 0, c: 1, d: 0, e: 1 }, 2);
    for (let turn = 0; turn < 8; turn++) expect(await pass()).toEqual(['a']);
    expect(await pass()).toEqual(['a', 'c']);
    for (let turn = 0; turn < 6; turn++) expect(await pass()).toEqual(['a']);
    expect(await pass()).toEqual(['a', 'e']);
    for (let turn = 0; turn < 4; turn++) expect(await pass()).toEqual(['a']);
    expect(await pass()).toEqual([]);
  });

  it('are looked for after eight turns, however many there are', async () => {
    const { pass, looks } = arrange(Object.fromEntries('abcdefghij'.split('').map((id) => [id, 3])));
    for (let count = 0; count < 3; count++) expect(await pass()).toHaveLength(10);
    expect(looks).toHaveLength(3);
  });

  it('come at the moment that a look has seen ahead, and that work tells, without another look', async () => {
    const { pass, later, looks, state } = arrange({ a: 0, b: 0, c: 1, d: 0 }, 2);
    later.set('a', 1_000).set('b', AHEAD_MS + 1);
    expect(await pass()).toEqual([]);
    state.nowMs = 999;
    later.set('c', 1_500);
    expect(await pass()).toEqual(['c']);
    state.nowMs = 1_000;
    expect(await pass()).toEqual(['a']);
    state.nowMs = 1_500;
    expect(await pass()).toEqual(['c']);
    expect(looks).toEqual(['', 'b']);
    state.nowMs = 2 * MINUTE_MS;
    expect([await pass(), await pass()]).toEqual([[], ['b']]);
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
    expect(turns.hasUnfinished).toBe(true);
  });

  it('come to everybody within one round, and to an end when all is done', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (amounts, inALook) => {
          const pieces = Object.fromEntries(amounts.map((amount, index) => [`p${10 + index}`, amount]));
          const { turns, pass, left, looks } = arrange(pieces, inALook);
          const round = Math.floor(amounts.length / inALook) + 1;
          const served = new Set<string>();
          while (looks.length < round || turns.hasUnfinished) for (const id of await pass()) served.add(id);
          expect([...served].sort()).toEqual(Object.keys(pieces).filter((id) => pieces[id] !== 0));
          expect([...left.values()].every((amount) => amount === 0)).toBe(true);
        },
      ),
    );
  });
});
