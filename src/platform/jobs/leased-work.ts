import { type Clock, within } from '../../../libs/kernel/index.js';
import { type JobName, jobName, watched } from './job-events.js';
import { tracedWork } from '../observability/tracing.js';
import { type FreeSlots, type SlotLimits, Slots } from './slots.js';
import { WorkLoop } from './work-loop.js';

/** A look costs the database as much as many of the items it may find: under load, one finds what many would. */
const PACE_MS = 50;
/** The part of a look's items whose end is worth the next look at once. */
const WORTH_A_LOOK = 0.75;

/**
 * The hold of this process on an item. It ends by itself, and then any process may take the item. When it ends is up to
 * the database's clock alone: those of processes may differ.
 */
export interface Lease {
  /**
   * Runs `write` with the end of the lease as the database knows it, by which the write finds out whether the
   * item is still this process's own. Does nothing when the work was given up because the process stops.
   */
  record(write: (leaseUntil: Date) => Promise<void>): Promise<void>;
}

export interface HeldItem<Item> {
  item: Item;
  leaseUntil: Date;
}

/** An item as it is claimed, with the end of its lease. */
export interface LeasedItem {
  leaseUntil: Date;
}

/**
 * What a claim or a renewal asks for, by the clock of the process: an item is due again at `againAt`, and leased for as
 * long as from `now` to then.
 */
export interface LeaseTerms {
  now: Date;
  againAt: Date;
}

/** One kind of background work on due rows. */
export interface LeasedJob<Item extends LeasedItem> {
  /** Under which it is watched. */
  name: string;
  leaseMs: number;
  slots: SlotLimits;
  /** Least time between the looks that wakes ask for. Default: 50 ms. */
  paceMs?: number;
  /** Items of one key share places: a slow one only delays those. */
  keyOf(item: Item): string;
  /** Takes and leases due items: what `free` allows, and nothing that another process holds. */
  claim(terms: LeaseTerms, free: FreeSlots): Promise<Item[]>;
  work(item: Item, lease: Lease): Promise<void>;
  /** Moves the end of leases that are still as given, and tells it; null when none was. */
  renew(held: HeldItem<Item>[], terms: LeaseTerms): Promise<Date | null>;
  onError(error: unknown, doing: 'claim' | 'work' | 'renew'): void;
}

/** A claimed item being worked on. */
class Task<Item> implements Lease, HeldItem<Item> {
  done: Promise<void> = Promise.resolve();
  renewal: Promise<void> = Promise.resolve();
  /** Its lease is not renewed any more: the end it has is the one that is written against. */
  recording = false;
  abandoned = false;

  constructor(
    readonly item: Item,
    public leaseUntil: Date,
  ) {}

  async record(write: (leaseUntil: Date) => Promise<void>): Promise<void> {
    this.recording = true;
    await this.renewal;
    if (!this.abandoned) await write(this.leaseUntil);
  }
}

/**
 * Claims due items and works on them, in any number of processes: each item is held under a lease that is
 * renewed while the work lasts, so that the items of a process that died come back. Never looks twice at once
 * in this process; one look of an idle process is one statement.
 */
export class LeasedWork<Item extends LeasedItem> {
  private readonly name: JobName;
  private readonly loop: WorkLoop;
  private readonly slots: Slots;
  private readonly tasks = new Set<Task<Item>>();
  private heartbeat: NodeJS.Timeout | null = null;
  private started = 0;
  private lookedAtMs = -Infinity;
  /** Items that the last look started, and how many places became free since. */
  private found = 0;
  private freed = 0;
  private nextLook: NodeJS.Timeout | null = null;
  private hasClaimFailed = false;
  private stopped: Promise<void> | null = null;

  constructor(
    private readonly job: LeasedJob<Item>,
    private readonly clock: Clock,
    private readonly process: { runsJobs: boolean; shutdownGraceMs: number },
  ) {
    this.name = jobName(job.name);
    this.slots = new Slots(job.slots);
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => job.onError(error, 'claim'),
    );
  }

  /**
   * Items may be due: looks at once, or when the pace allows. Any number of calls meanwhile are one look. Left to
   * the others by a process that runs no jobs.
   */
  wake(): void {
    if (!this.process.runsJobs || this.nextLook) return;
    const waitMs = this.lookedAtMs + (this.job.paceMs ?? PACE_MS) - performance.now();
    if (waitMs <= 0) {
      void this.loop.wake();
      return;
    }
    this.nextLook = setTimeout(() => {
      this.nextLook = null;
      void this.loop.wake();
    }, waitMs).unref();
  }

  /** Works on everything that is due, also on what waits for a free place, until nothing is left. */
  async drain(): Promise<void> {
    for (;;) {
      const wasIdle = this.tasks.size === 0;
      const before = this.started;
      await this.loop.wake();
      if (wasIdle && this.started === before) return;
      await Promise.all([...this.tasks].map(({ done }) => done));
    }
  }

  /**
   * Claims nothing more and waits for the work under way, at most the grace of the process from the first call on. What
   * has not ended by then is not recorded any more: its lease ends, and another process does it again.
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.forgetNextLook();
    await this.loop.stop();
    const { shutdownGraceMs } = this.process;
    await within(Promise.all([...this.tasks].map(({ done }) => done)), shutdownGraceMs, undefined);
    for (const task of this.tasks) task.abandoned = true;
    this.stopHeartbeat();
  }

  /** Prolongs the leases of all work under way. Happens by itself three times in the length of a lease. */
  async renewLeases(): Promise<void> {
    const held = [...this.tasks].filter(({ recording }) => !recording);
    if (held.length === 0) return;
    const renewal = this.job.renew(held, this.terms()).then(
      (leaseUntil) => {
        if (leaseUntil) for (const task of held) task.leaseUntil = leaseUntil;
      },
      (error: unknown) => this.job.onError(error, 'renew'),
    );
    for (const task of held) task.renewal = renewal;
    await renewal;
  }

  private async round(): Promise<void> {
    for (;;) {
      const free = this.slots.free();
      if (free.total === 0) return;
      // Those who asked for the next look have written before this one.
      this.forgetNextLook();
      this.lookedAtMs = performance.now();
      const items = await this.claim(free);
      this.found = items.length;
      this.freed = 0;
      for (const item of items) this.start(new Task(item, item.leaseUntil));
      // Fewer than asked for: whatever is still due waits for the places of its own key.
      if (items.length < free.total) return;
    }
  }

  /** A failed claim counts as failed work, and the first one that succeeds after it as work that is done. */
  private async claim(free: FreeSlots): Promise<Item[]> {
    const onlyFailures = !this.hasClaimFailed;
    this.hasClaimFailed = true;
    const items = await watched(this.name, () => this.job.claim(this.terms(), free), onlyFailures);
    this.hasClaimFailed = false;
    return items;
  }

  private terms(): LeaseTerms {
    const nowMs = this.clock.nowMs();
    return { now: new Date(nowMs), againAt: new Date(nowMs + this.job.leaseMs) };
  }

  private start(task: Task<Item>): void {
    const key = this.job.keyOf(task.item);
    this.slots.take(key);
    this.tasks.add(task);
    this.started++;
    this.heartbeat ??= setInterval(() => void this.renewLeases(), this.job.leaseMs / 3).unref();
    task.done = watched(this.name, () => tracedWork(this.name, () => this.job.work(task.item, task)))
      .catch((error: unknown) => this.job.onError(error, 'work'))
      .then(() => {
        const awaited = this.slots.crowded;
        this.slots.release(key);
        this.tasks.delete(task);
        if (this.tasks.size === 0) this.stopHeartbeat();
        this.freed++;
        if (awaited) this.refill();
      });
  }

  /** Places became free that items may wait for: many at once are not kept waiting for the pace. */
  private refill(): void {
    if (this.freed >= this.found * WORTH_A_LOOK) void this.loop.wake();
    else this.wake();
  }

  private forgetNextLook(): void {
    if (this.nextLook) clearTimeout(this.nextLook);
    this.nextLook = null;
  }

  private stopHeartbeat(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
    this.heartbeat = null;
  }
}
