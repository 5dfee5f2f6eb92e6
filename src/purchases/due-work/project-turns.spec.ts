import fc from 'fast-check';
import { AHEAD_MS, PROJECTS_IN_A_LOOK, ProjectTurns } from './project-turns.js';

/** Projects with so much to do since 0, each turn does one piece. */
function arrange(pieces: Record<string, number>, inALook = PROJECTS_IN_A_LOOK) {
  const left = new Map(Object.entries(pieces));
  /** When those that have nothing to do now will have a piece (ms). */
  const later = new Map<string, number>();
  const looks: string[] = [];
  const passes: string[][] = [];
  const state = { isStopping: false, fails: false, nowMs: 0, elapsedMs: 0, turnMs: 0 };
  const dueAtMs = (projectId: string): number => ((left.get(projectId) ?? 0) > 0 ? 0 : Infinity);
  const nextMs = (projectId: string): number =>
    Math.min(dueAtMs(projectId), later.get(projectId) ?? Infinity);
  const turns = new ProjectTurns({
    nowMs: () => state.nowMs,
    elapsedMs: () => state.elapsedMs,
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
      state.elapsedMs += state.turnMs;
      if ((later.get(projectId) ?? Infinity) <= state.nowMs) later.delete(projectId);
      else left.set(projectId, (left.get(projectId) ?? 0) - 1);
      const isUnfinished = dueAtMs(projectId) === 0;
      const next = nextMs(projectId);
      return Promise.resolve({ isUnfinished, dueAtMs: next === Infinity ? null : next });
    },
    isStopping: () => state.isStopping,
  });
  const pass = async (looks = true): Promise<string[]> => {
    passes.push([]);
    await turns.pass({ looks });
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
    const { pass } = arrange({ a: 3, b: 0, c: 1, d: 0, e: 1 }, 2);
    expect(await pass()).toEqual(['a']);
    expect(await pass()).toEqual(['a', 'c']);
    expect(await pass()).toEqual(['a', 'e']);
    expect(await pass()).toEqual([]);
  });

  it('are looked for four times a second while there is more to do, and not with every pass', async () => {
    const { pass, looks, state } = arrange({ a: 9, b: 1 }, 1);
    expect(await pass(false)).toEqual(['a']);
    state.elapsedMs = 249;
    expect(await pass(false)).toEqual(['a']);
    expect(looks).toEqual(['']);
    state.elapsedMs = 250;
    expect(await pass(false)).toEqual(['a', 'b']);
    expect(await pass(false)).toEqual(['a']);
    expect(looks).toEqual(['', 'a']);
  });

  it('are looked for between two turns when the turns of all take long, and go on from there', async () => {
    const { turns, pass, looks, state } = arrange({ a: 2, b: 1, c: 1 });
    state.turnMs = 125;
    expect(await pass()).toEqual(['a', 'b']);
    expect(await pass(false)).toEqual(['c', 'a']);
    expect(looks).toHaveLength(2);
    expect(turns.hasUnfinished).toBe(false);
  });

  it('come at the moment that a look has seen ahead, and that work tells, wherever the look is', async () => {
    const { pass, later, looks, state } = arrange({ a: 0, b: 0, c: 1, d: 0, e: 0, f: 0 }, 2);
    later.set('a', 1_000).set('b', AHEAD_MS + 1);
    expect(await pass()).toEqual([]);
    state.nowMs = 999;
    later.set('c', 1_000);
    expect(await pass()).toEqual(['c']);
    state.nowMs = 1_000;
    expect((await pass()).sort()).toEqual(['a', 'c']);
    expect(looks).toEqual(['', 'b', 'd']);
    state.nowMs = AHEAD_MS + 1;
    expect([await pass(), await pass()]).toEqual([[], ['b']]);
  });

  it('go on from the earliest moment that is known of them', async () => {
    const since: number[] = [];
    const turns = new ProjectTurns({
      nowMs: () => 100,
      elapsedMs: () => 0,
      look: () => Promise.resolve({ soon: [{ projectId: 'a', dueAtMs: 50 }], last: null }),
      work: ({ dueAtMs }) => {
        since.push(dueAtMs);
        return Promise.resolve({ isUnfinished: true, dueAtMs: 20 });
      },
      isStopping: () => false,
    });
    for (let count = 0; count < 2; count++) await turns.pass({ looks: true });
    expect(since).toEqual([50, 20]);
  });

  it('that are to be asked again have a turn with the next look at anybody', async () => {
    const answers = [{ isUnfinished: false, dueAtMs: 0 }];
    const worked: string[] = [];
    let looks = 0;
    const turns = new ProjectTurns({
      nowMs: () => 100,
      elapsedMs: () => 0,
      look: () => Promise.resolve({ soon: looks++ === 0 ? [{ projectId: 'a', dueAtMs: 0 }] : [], last: 'z' }),
      work: ({ projectId }) => {
        worked.push(projectId);
        return Promise.resolve(answers.shift() ?? { isUnfinished: false, dueAtMs: null });
      },
      isStopping: () => false,
    });
    await turns.pass({ looks: true });
    expect(turns.hasUnfinished).toBe(false);
    for (let count = 0; count < 3; count++) await turns.pass({ looks: true });
    expect(worked).toEqual(['a', 'a']);
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
    await expect(turns.pass({ looks: true })).rejects.toThrow('no database');
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
