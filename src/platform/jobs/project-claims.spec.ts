import { ProjectClaims, type QueuePlace } from './project-claims.js';
import type { FreeSlots } from './slots.js';

const terms = { now: new Date(0), againAt: new Date(60_000) };
const slots = (total: number, busy: Record<string, number> = {}, otherKeys = total): FreeSlots => ({
  total,
  byKey: new Map(Object.entries(busy)),
  otherKeys,
});

/** Projects with one queue each, of the same name, with a number of due items. */
function arrange(pieces: Record<string, number>, pageSize = 100) {
  const left = new Map(Object.entries(pieces));
  const state = {
    elapsedMs: 0,
    pageMs: 0,
    isFailing: false,
    pages: 0,
    claimed: [] as string[],
    duringPoll: (): unknown => undefined,
    duringClaim: (): unknown => undefined,
  };
  const claims = new ProjectClaims<QueuePlace>(
    {
      pollPage: (_now, after) => {
        if (state.isFailing) return Promise.reject(new Error('no database'));
        state.pages++;
        state.elapsedMs += state.pageMs;
        const ids = [...left.keys()].sort().filter((id) => id > (after?.projectId ?? ''));
        const page = ids.slice(0, pageSize).map((id) => ({ projectId: id, key: id }));
        const due = page.filter(({ projectId }) => (left.get(projectId) ?? 0) > 0);
        state.duringPoll();
        return Promise.resolve({ due, last: ids.length > pageSize ? (page.at(-1) ?? null) : null });
      },
      claim: (projectId, _terms, { total, byKey, otherKeys }) => {
        state.claimed.push(projectId);
        state.duringClaim();
        if (state.isFailing) return Promise.reject(new Error('no database'));
        const count = Math.min(left.get(projectId) ?? 0, total, byKey.get(projectId) ?? otherKeys);
        left.set(projectId, (left.get(projectId) ?? 0) - count);
        return Promise.resolve(Array.from({ length: count }, () => ({ projectId, key: projectId })));
      },
    },
    ({ key }) => key,
    () => state.elapsedMs,
  );
  const claim = async (free = slots(2)): Promise<string> =>
    (await claims.claim(terms, free)).map(({ projectId }) => projectId).join(' ');
  return { claims, claim, left, state };
}

describe('claims by project', () => {
  it('delays a project with one item by one claim of a large project', async () => {
    const { claim } = arrange({ large: 100_000, small: 1 });
    expect([await claim(), await claim(), await claim()]).toEqual(['large large', 'small', 'large large']);
  });

  it('claims again only from projects for which a claim may have left work', async () => {
    const { claims, claim, state } = arrange({ a: 3, b: 1 });
    expect([await claim(), await claim(), await claim()]).toEqual(['a a', 'b', 'a']);
    expect(claims.hasMore(slots(2))).toBe(false);
    expect([state.pages, state.claimed]).toEqual([1, ['a', 'b', 'a']]);
  });

  it('leaves out projects whose queues have no free slot until they have one', async () => {
    const { claims, claim, state } = arrange({ hanging: 5, other: 1 });
    const busy = slots(2, { hanging: 0 });
    expect([await claim(busy), claims.hasMore(busy)]).toEqual(['other', false]);
    expect([claims.hasMore(slots(2)), await claim(slots(2))]).toEqual([true, 'hanging hanging']);
    expect(state.pages).toBe(1);
  });

  it('keeps a queue without a free slot when new work of its project is claimed', async () => {
    const { claims, claim, left, state } = arrange({ a: 5, b: 1 });
    const busy = slots(2, { a: 0 });
    expect([await claim(), await claim(busy)]).toEqual(['a a', 'b']);
    left.set('b', 1);
    claims.add({ projectId: 'a' });
    claims.add({ projectId: 'b' });
    expect([await claim(busy), await claim(busy), claims.hasMore(busy)]).toEqual(['', 'b', false]);
    expect([await claim(), state.pages]).toEqual(['a a', 1]);
  });

  it('polls only once for an idle queue', async () => {
    const { claim, state } = arrange({});
    expect(await claim()).toBe('');
    expect([state.pages, state.claimed]).toEqual([1, []]);
  });

  it('claims added work without a poll', async () => {
    const { claims, claim, left, state } = arrange({});
    await claim();
    left.set('new', 1);
    claims.add({ projectId: 'new' });
    expect(await claim()).toBe('new');
    expect(state.pages).toBe(1);
  });

  it('polls every 250 ms while projects have work, and when they have none left', async () => {
    const { claim, left, state } = arrange({ a: 9 });
    await claim();
    left.set('b', 1);
    state.elapsedMs = 249;
    expect([await claim(), state.pages]).toEqual(['a a', 1]);
    state.elapsedMs = 250;
    expect([await claim(slots(9)), state.pages]).toEqual(['a a a a a', 2]);
    expect(await claim()).toBe('b');
    left.set('c', 1);
    expect([await claim(), state.pages]).toEqual(['c', 3]);
  });

  it('continues a long poll where the last one ended', async () => {
    const { claims, claim, left, state } = arrange({ a: 1, b: 0, c: 0, d: 1 }, 1);
    state.pageMs = 5;
    expect([await claim(), state.pages, claims.isAtStart]).toEqual(['a', 2, false]);
    left.set('a', 1);
    expect([await claim(), state.pages, claims.isAtStart]).toEqual(['d', 4, true]);
    expect([await claim(), state.pages]).toEqual(['a', 6]);
  });

  it('drops projects that a poll of all queues no longer finds', async () => {
    const { claim, left, state } = arrange({ a: 9, b: 9 });
    await claim();
    left.set('b', 0);
    state.elapsedMs = 250;
    expect([await claim(), state.claimed]).toEqual(['a a', ['a', 'a']]);
  });

  it('keeps a project that is added during a poll', async () => {
    const { claims, claim, left, state } = arrange({});
    state.duringPoll = () => {
      left.set('new', 1);
      claims.add({ projectId: 'new' });
    };
    expect(await claim()).toBe('new');
  });

  it('keeps a project whose work is added during a claim that found none of it', async () => {
    const { claims, claim, left, state } = arrange({ a: 1 });
    state.duringPoll = () => left.set('a', 0);
    state.duringClaim = () => claims.add({ projectId: 'a' });
    expect(await claim()).toBe('');
    left.set('a', 1);
    expect([await claim(), state.pages]).toEqual(['a', 1]);
  });

  it('finds work again after a failed claim or poll', async () => {
    const { claim, state } = arrange({ a: 1, b: 1 });
    state.duringPoll = () => (state.isFailing = true);
    await expect(claim()).rejects.toThrow('no database');
    await expect(claim()).rejects.toThrow('no database');
    await expect(claim()).rejects.toThrow('no database');
    state.isFailing = false;
    state.duringPoll = () => undefined;
    expect([await claim(), await claim()]).toEqual(['a', 'b']);
  });
});
