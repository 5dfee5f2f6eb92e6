import fc from 'fast-check';
import { AHEAD_MS, PROJECTS_PER_POLL, ProjectPoller } from './project-poller.js';

/** Projects with work due since 0. Each batch completes one piece. */
function arrange(pieces: Record<string, number>, pageSize = PROJECTS_PER_POLL) {
  const left = new Map(Object.entries(pieces));
  /** When projects that currently have no work will have a piece (ms). */
  const later = new Map<string, number>();
  const polls: string[] = [];
  const passes: string[][] = [];
  const state = { isStopping: false, fails: false, nowMs: 0, elapsedMs: 0, batchMs: 0 };
  const dueAtMs = (projectId: string): number => ((left.get(projectId) ?? 0) > 0 ? 0 : Infinity);
  const nextMs = (projectId: string): number =>
    Math.min(dueAtMs(projectId), later.get(projectId) ?? Infinity);
  const poller = new ProjectPoller({
    nowMs: () => state.nowMs,
    elapsedMs: () => state.elapsedMs,
    poll: (after) => {
      polls.push(after);
      if (state.fails) return Promise.reject(new Error('no database'));
      const seen = [...left.keys()]
        .sort()
        .filter((id) => id > after)
        .slice(0, pageSize);
      return Promise.resolve({
        soon: seen
          .map((projectId) => ({ projectId, dueAtMs: nextMs(projectId) }))
          .filter((due) => due.dueAtMs <= state.nowMs + AHEAD_MS),
        last: seen.length === pageSize ? (seen.at(-1) ?? null) : null,
      });
    },
    work: ({ projectId }) => {
      passes.at(-1)?.push(projectId);
      state.elapsedMs += state.batchMs;
      if ((later.get(projectId) ?? Infinity) <= state.nowMs) later.delete(projectId);
      else left.set(projectId, (left.get(projectId) ?? 0) - 1);
      const isUnfinished = dueAtMs(projectId) === 0;
      const next = nextMs(projectId);
      return Promise.resolve({ isUnfinished, dueAtMs: next === Infinity ? null : next });
    },
    isStopping: () => state.isStopping,
  });
  const pass = async (polls = true): Promise<string[]> => {
    passes.push([]);
    await poller.pass({ polls });
    return passes.at(-1) ?? [];
  };
  return { poller, pass, left, later, polls, state };
}

describe('batches of projects', () => {
  it('alternates between a project with a million pieces and one with a single piece', async () => {
    const { poller, pass } = arrange({ large: 1_000_000, small: 1 });
    expect(await pass()).toEqual(['large', 'small']);
    expect(await pass()).toEqual(['large']);
    expect(poller.hasUnfinished).toBe(true);
  });

  it('repeats in every pass while there is work, wherever the poll is', async () => {
    const { pass } = arrange({ a: 3, b: 0, c: 1, d: 0, e: 1 }, 2);
    expect(await pass()).toEqual(['a']);
    expect(await pass()).toEqual(['a', 'c']);
    expect(await pass()).toEqual(['a', 'e']);
    expect(await pass()).toEqual([]);
  });

  it('polls four times a second while there is work, not with every pass', async () => {
    const { pass, polls, state } = arrange({ a: 9, b: 1 }, 1);
    expect(await pass(false)).toEqual(['a']);
    state.elapsedMs = 249;
    expect(await pass(false)).toEqual(['a']);
    expect(polls).toEqual(['']);
    state.elapsedMs = 250;
    expect(await pass(false)).toEqual(['a', 'b']);
    expect(await pass(false)).toEqual(['a']);
    expect(polls).toEqual(['', 'a']);
  });

  it('polls between two slow batches, and continues from there', async () => {
    const { poller, pass, polls, state } = arrange({ a: 2, b: 1, c: 1 });
    state.batchMs = 125;
    expect(await pass()).toEqual(['a', 'b']);
    expect(await pass(false)).toEqual(['c', 'a']);
    expect(polls).toHaveLength(2);
    expect(poller.hasUnfinished).toBe(false);
  });

  it('polls at the time that a poll or a batch predicted, wherever the poll is', async () => {
    const { pass, later, polls, state } = arrange({ a: 0, b: 0, c: 1, d: 0, e: 0, f: 0 }, 2);
    later.set('a', 1_000).set('b', AHEAD_MS + 1);
    expect(await pass()).toEqual([]);
    state.nowMs = 999;
    later.set('c', 1_000);
    expect(await pass()).toEqual(['c']);
    state.nowMs = 1_000;
    expect((await pass()).sort()).toEqual(['a', 'c']);
    expect(polls).toEqual(['', 'b', 'd']);
    state.nowMs = AHEAD_MS + 1;
    expect([await pass(), await pass()]).toEqual([[], ['b']]);
  });

  it('continues from the earliest known due time', async () => {
    const since: number[] = [];
    const poller = new ProjectPoller({
      nowMs: () => 100,
      elapsedMs: () => 0,
      poll: () => Promise.resolve({ soon: [{ projectId: 'a', dueAtMs: 50 }], last: null }),
      work: ({ dueAtMs }) => {
        since.push(dueAtMs);
        return Promise.resolve({ isUnfinished: true, dueAtMs: 20 });
      },
      isStopping: () => false,
    });
    for (let count = 0; count < 2; count++) await poller.pass({ polls: true });
    expect(since).toEqual([50, 20]);
  });

  it('retries projects that may have more work with the next poll', async () => {
    const answers = [{ isUnfinished: false, dueAtMs: 0 }];
    const worked: string[] = [];
    let polls = 0;
    const poller = new ProjectPoller({
      nowMs: () => 100,
      elapsedMs: () => 0,
      poll: () => Promise.resolve({ soon: polls++ === 0 ? [{ projectId: 'a', dueAtMs: 0 }] : [], last: 'z' }),
      work: ({ projectId }) => {
        worked.push(projectId);
        return Promise.resolve(answers.shift() ?? { isUnfinished: false, dueAtMs: null });
      },
      isStopping: () => false,
    });
    await poller.pass({ polls: true });
    expect(poller.hasUnfinished).toBe(false);
    for (let count = 0; count < 3; count++) await poller.pass({ polls: true });
    expect(worked).toEqual(['a', 'a']);
  });

  it('goes round, and reports when it is back at the start', async () => {
    const { poller, pass, polls } = arrange({ a: 0, b: 0, c: 0 }, 2);
    expect(poller.isAtStart).toBe(true);
    await pass();
    expect(poller.isAtStart).toBe(false);
    await pass();
    expect(poller.isAtStart).toBe(true);
    await pass();
    expect(polls).toEqual(['', 'b', '']);
  });

  it('starts again after a failed poll', async () => {
    const { poller, pass, polls, state } = arrange({ a: 1, b: 1, c: 1 }, 1);
    await pass();
    state.fails = true;
    await expect(poller.pass({ polls: true })).rejects.toThrow('no database');
    state.fails = false;
    await pass();
    expect(polls).toEqual(['', 'a', '']);
  });

  it('ends at once when the process stops', async () => {
    const { poller, pass, state } = arrange({ a: 2, b: 1 });
    state.isStopping = true;
    expect(await pass()).toEqual([]);
    expect(poller.hasUnfinished).toBe(true);
  });

  it('reaches every project within one round, and ends when all work is done', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (amounts, pageSize) => {
          const pieces = Object.fromEntries(amounts.map((amount, index) => [`p${10 + index}`, amount]));
          const { poller, pass, left, polls } = arrange(pieces, pageSize);
          const round = Math.floor(amounts.length / pageSize) + 1;
          const served = new Set<string>();
          while (polls.length < round || poller.hasUnfinished) for (const id of await pass()) served.add(id);
          expect([...served].sort()).toEqual(Object.keys(pieces).filter((id) => pieces[id] !== 0));
          expect([...left.values()].every((amount) => amount === 0)).toBe(true);
        },
      ),
    );
  });
});
