import { jest } from '@jest/globals';
import { ManualClock } from '../../../libs/kernel/index.js';
import { type JobEvent, jobEvents } from './job-events.js';
import { LeasedWork, type LeaseTerms } from './leased-work.js';
import type { FreeSlots } from './slots.js';

interface Row {
  id: string;
  key: string;
  dueMs: number;
  leaseUntil: Date;
  doneBy: string[];
}

const LEASE_MS = 90_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A table from which any number of processes claim work. Leases use its own clock. */
class Table {
  readonly rows = new Map<string, Row>();

  constructor(private readonly clock: ManualClock) {}

  add(...ids: string[]): void {
    for (const id of ids)
      this.rows.set(id, { id, key: id.charAt(0), dueMs: 0, leaseUntil: new Date(0), doneBy: [] });
  }

  claim(terms: LeaseTerms, { total, byKey, otherKeys }: FreeSlots): Row[] {
    const left = new Map(byKey);
    const taken: Row[] = [];
    for (const row of this.rows.values()) {
      const places = left.get(row.key) ?? otherKeys;
      if (taken.length === total || places === 0) continue;
      if (row.dueMs > terms.now.getTime() || row.leaseUntil.getTime() > this.clock.nowMs()) continue;
      left.set(row.key, places - 1);
      this.lease(row, terms);
      taken.push({ ...row });
    }
    return taken;
  }

  /** Returns null if the lease was lost. */
  renew(id: string, from: Date, terms: LeaseTerms): Date | null {
    const row = this.rows.get(id);
    return row?.leaseUntil.getTime() === from.getTime() ? this.lease(row, terms) : null;
  }

  private lease(row: Row, { now, againAt }: LeaseTerms): Date {
    row.dueMs = againAt.getTime();
    row.leaseUntil = new Date(this.clock.nowMs() + againAt.getTime() - now.getTime());
    return row.leaseUntil;
  }

  /** Returns false if the lease was no longer held. */
  finish(id: string, leaseUntil: Date, process: string): void {
    const row = this.rows.get(id);
    if (row?.leaseUntil.getTime() !== leaseUntil.getTime()) return;
    row.doneBy.push(process);
    row.dueMs = Number.POSITIVE_INFINITY;
  }

  get done(): string[] {
    return [...this.rows.values()].filter(({ doneBy }) => doneBy.length > 0).map(({ id }) => id);
  }
}

/** A process whose work ends on demand (`end`), or immediately. */
function startProcess(
  table: Table,
  clock: ManualClock,
  name: string,
  options: {
    manual?: boolean;
    slowRenewal?: boolean;
    paceMs?: number;
    runsJobs?: boolean;
    graceMs?: number;
  } = {},
) {
  const ends = new Map<string, () => void>();
  const errors: unknown[] = [];
  let claims = 0;
  const work = new LeasedWork<Row>(
    {
      name: 'test',
      leaseMs: LEASE_MS,
      slots: { total: 20, perKey: 3 },
      paceMs: options.paceMs ?? 0,
      keyOf: ({ key }) => key,
      claim: (terms, free) => {
        claims++;
        return Promise.resolve(table.claim(terms, free));
      },
      work: async ({ id }, lease) => {
        if (options.manual) await new Promise<void>((resolve) => ends.set(id, resolve));
        if (id.endsWith('!')) throw new Error(id);
        await lease.record((leaseUntil) => Promise.resolve(table.finish(id, leaseUntil, name)));
        ends.delete(id);
      },
      renew: async (held, terms) => {
        const ends = held.map(({ item, leaseUntil }) => table.renew(item.id, leaseUntil, terms));
        for (let turns = options.slowRenewal ? 5 : 0; turns > 0; turns--) await turn();
        return ends.find((end) => end !== null) ?? null;
      },
      onError: (error, doing) => errors.push([doing, (error as Error).message]),
    },
    clock,
    { runsJobs: options.runsJobs ?? true, shutdownGraceMs: options.graceMs ?? 10_000 },
  );
  return {
    work,
    errors,
    claims: () => claims,
    working: () => [...ends.keys()],
    end: async (id: string) => {
      ends.get(id)?.();
      await turn();
      await turn();
    },
  };
}

describe('leased work', () => {
  const clock = new ManualClock(1_000_000);
  let table: Table;

  beforeEach(() => {
    table = new Table(clock);
  });

  it('does everything that is due, also what first finds no free place', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `a${index}`);
    table.add(...ids);
    const { work } = startProcess(table, clock, 'one');
    await work.drain();
    expect(table.done).toEqual(ids);
  });

  it('leaves the work to others in a process that runs no jobs', async () => {
    table.add('a1');
    const { work, claims } = startProcess(table, clock, 'one', { runsJobs: false });
    work.wake();
    await turn();
    expect([claims(), table.done]).toEqual([0, []]);
  });

  it('claims once for an idle table', async () => {
    const { work, claims } = startProcess(table, clock, 'one');
    work.wake();
    work.wake();
    await work.drain();
    expect(claims()).toBe(1);
  });

  it('claims at once when idle, and then no more often than its pace', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const { work, claims } = startProcess(table, clock, 'one', { paceMs: 50 });
      work.wake();
      await turn();
      expect(claims()).toBe(1);
      table.add('a1');
      work.wake();
      work.wake();
      await jest.advanceTimersByTimeAsync(49);
      expect([claims(), table.done]).toEqual([1, []]);
      await jest.advanceTimersByTimeAsync(1);
      expect([claims(), table.done]).toEqual([2, ['a1']]);
      await jest.advanceTimersByTimeAsync(1000);
      expect(claims()).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('does not claim again for a wake that an earlier claim has covered', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const { work, claims } = startProcess(table, clock, 'one', { paceMs: 50 });
      work.wake();
      await turn();
      work.wake();
      await work.drain();
      expect(claims()).toBe(2);
      await jest.advanceTimersByTimeAsync(1000);
      expect(claims()).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('works on no more of one key than its places, continues with others, and refills what gets free', async () => {
    table.add('a1', 'a2', 'a3', 'a4', 'a5', 'b1');
    const { work, working, end } = startProcess(table, clock, 'one', { manual: true });
    work.wake();
    await turn();
    expect(working()).toEqual(['a1', 'a2', 'a3', 'b1']);
    await end('a2');
    expect(working()).toEqual(['a1', 'a3', 'b1', 'a4']);
  });

  it('never gives the same item to two processes while its lease lasts, and gives it again after that', async () => {
    table.add('a1');
    const first = startProcess(table, clock, 'first', { manual: true });
    const second = startProcess(table, clock, 'second');
    first.work.wake();
    await turn();
    await second.work.drain();
    expect(table.done).toEqual([]);
    clock.advanceMs(LEASE_MS);
    await second.work.drain();
    expect(table.rows.get('a1')?.doneBy).toEqual(['second']);
    await first.end('a1');
    expect(table.rows.get('a1')?.doneBy).toEqual(['second']);
  });

  it.each([-3, 3])(
    'goes by the clock of the database, also when that of a process is %d minutes off',
    async (minutes) => {
      table.add('a1');
      const first = startProcess(table, clock, 'first', { manual: true });
      const other = new ManualClock(clock.nowMs() + minutes * 60_000);
      const second = startProcess(table, other, 'second', { manual: true });
      first.work.wake();
      await turn();
      await second.work.drain();
      expect([first.working(), second.working()]).toEqual([['a1'], []]);
      await second.work.renewLeases();
      await first.end('a1');
      expect(table.rows.get('a1')?.doneBy).toEqual(['first']);
      table.add('a2');
      second.work.wake();
      await turn();
      await first.work.drain();
      await second.work.renewLeases();
      await second.end('a2');
      expect(table.rows.get('a2')?.doneBy).toEqual(['second']);
    },
  );

  it('keeps the lease of work that lasts, and records it under the renewed lease', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      table.add('a1');
      const first = startProcess(table, clock, 'first', { manual: true });
      const second = startProcess(table, clock, 'second');
      first.work.wake();
      await turn();
      for (let step = 0; step < 6; step++) {
        clock.advanceMs(LEASE_MS / 3);
        await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
        await second.work.drain();
      }
      expect(table.done).toEqual([]);
      await first.end('a1');
      expect(table.rows.get('a1')?.doneBy).toEqual(['first']);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('leaves the lease alone that a result is being recorded against', async () => {
    const renewed: number[] = [];
    let started = false;
    let written = (): void => undefined;
    const work = new LeasedWork<{ id: string; leaseUntil: Date }>(
      {
        name: 'test',
        leaseMs: LEASE_MS,
        slots: { total: 1, perKey: 1 },
        paceMs: 0,
        keyOf: ({ id }) => id,
        claim: ({ againAt }, { total }) =>
          Promise.resolve(total > 0 && !started ? [{ id: 'a', leaseUntil: againAt }] : []),
        work: async (_item, lease) => {
          started = true;
          await lease.record(() => new Promise((resolve) => (written = resolve)));
        },
        renew: (held) => {
          renewed.push(held.length);
          return Promise.resolve(null);
        },
        onError: (error) => {
          throw error;
        },
      },
      clock,
      { runsJobs: true, shutdownGraceMs: 10_000 },
    );
    const drained = work.drain();
    await turn();
    await work.renewLeases();
    written();
    await drained;
    expect([started, renewed]).toEqual([true, []]);
  });

  it('records under the new end of a lease whose renewal is under way', async () => {
    table.add('a1');
    const { work, end } = startProcess(table, clock, 'one', { manual: true, slowRenewal: true });
    work.wake();
    await turn();
    clock.advanceMs(LEASE_MS / 3);
    const renewal = work.renewLeases();
    await end('a1');
    await renewal;
    await work.drain();
    expect(table.rows.get('a1')?.doneBy).toEqual(['one']);
  });

  it('reports work that throws, and frees its slot', async () => {
    table.add('a1!', 'a2!', 'a3!', 'a4');
    const { work, errors } = startProcess(table, clock, 'one');
    await work.drain();
    expect(errors).toEqual(['a1!', 'a2!', 'a3!'].map((id) => ['work', id]));
    expect(table.done).toEqual(['a4']);
  });

  it('counts items, failed claims and the end of the failures, but no other poll', async () => {
    const results: string[] = [];
    const count = (message: unknown): number => results.push((message as JobEvent).result);
    jobEvents.subscribe(count);
    try {
      table.add('a1');
      const { work, errors } = startProcess(table, clock, 'one');
      await work.drain();
      expect(results).toEqual(['done']);
      const failing = jest.spyOn(table, 'claim').mockImplementation(() => {
        throw new Error('no database');
      });
      await work.drain();
      expect(errors).toEqual([['claim', 'no database']]);
      failing.mockRestore();
      await work.drain();
      await work.drain();
      expect(results).toEqual(['done', 'failed', 'done']);
    } finally {
      jobEvents.unsubscribe(count);
    }
  });

  it('waits for the work under way when it stops, and takes nothing new', async () => {
    table.add('a1');
    const { work, end } = startProcess(table, clock, 'one', { manual: true });
    work.wake();
    await turn();
    const stopped = work.stop();
    table.add('a2');
    work.wake();
    const askedAgain = work.stop();
    await end('a1');
    await Promise.all([stopped, askedAgain]);
    expect(table.done).toEqual(['a1']);
  });

  it('records nothing of work that outlasts the grace time, so that its lease ends', async () => {
    table.add('a1');
    const { work, end } = startProcess(table, clock, 'one', { manual: true, graceMs: 5 });
    work.wake();
    await turn();
    await work.stop();
    await end('a1');
    expect(table.done).toEqual([]);
    clock.advanceMs(LEASE_MS);
    await startProcess(table, clock, 'other').work.drain();
    expect(table.rows.get('a1')?.doneBy).toEqual(['other']);
  });
});
