import { type Clock, grouped, within } from '../../../libs/kernel/index.js';
import { type JobName, jobName, watched } from './job-events.js';
import type { NewWork, ProjectClaims } from './project-claims.js';
import { tracedWork } from '../observability/tracing.js';
import { type FreeSlots, type SlotLimits, Slots } from './slots.js';
import { WorkLoop } from './work-loop.js';

/** A claim costs the database as much as many of its items, so under load one claim replaces many. */
const PACE_MS = 50;
/** Share of a claim's items that must have ended before another immediate claim is worthwhile. */
const WORTH_A_CLAIM = 0.75;

/**
 * Once it expires, any process may claim the item. Only the database's clock decides, because process clocks differ.
 */
export interface Lease {
  /** `write` compares the lease's end to check that the item is still its own. Not called if the work was abandoned. */
  record(write: (leaseUntil: Date) => Promise<void>): Promise<void>;
}

export interface HeldItem<Item> {
  item: Item;
  leaseUntil: Date;
}

export interface LeasedItem {
  leaseUntil: Date;
}

/** By the process's clock: an item is due again at `againAt`; its lease lasts as long as from `now` to then. */
export interface LeaseTerms {
  now: Date;
  againAt: Date;
}

export interface LeasedJob<Item extends LeasedItem> {
  name: string;
  leaseMs: number;
  slots: SlotLimits;
  /** Minimum time between claims triggered by `wake`. Default: 50 ms. */
  paceMs?: number;
  /** Items with the same key share slots, so a slow one only delays those. */
  keyOf(item: Item): string;
  /** Only items of one project are renewed together. Default: items with the same key. */
  projectOf?(item: Item): string;
  /** Claims due items: at most what `free` allows, none leased by another process. */
  claim(terms: LeaseTerms, free: FreeSlots): Promise<Item[]>;
  /** For a queue whose claims read one project each. */
  projects?: Pick<ProjectClaims<Item>, 'add' | 'hasMore' | 'isAtStart'>;
  work(item: Item, lease: Lease): Promise<void>;
  /** Extends one project's leases that still have the given end, and returns the new end; null if there were none. */
  renew(held: HeldItem<Item>[], terms: LeaseTerms): Promise<Date | null>;
  onError(error: unknown, doing: 'claim' | 'work' | 'renew'): void;
}

class Task<Item> implements Lease, HeldItem<Item> {
  done: Promise<void> = Promise.resolve();
  renewal: Promise<void> = Promise.resolve();
  /** The lease is no longer renewed, because the write compares its current end. */
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
 * Claims due items and works on them, in any number of processes. Each item's lease is renewed while the work lasts;
 * the items of a process that died become due again. A process runs one claim at a time; when idle, it costs one
 * statement.
 */
export class LeasedWork<Item extends LeasedItem> {
  private readonly name: JobName;
  private readonly loop: WorkLoop;
  private readonly slots: Slots;
  private readonly tasks = new Set<Task<Item>>();
  private heartbeat: NodeJS.Timeout | null = null;
  private started = 0;
  private claimedAtMs = -Infinity;
  /** Items started by the last claim, and slots freed since. */
  private found = 0;
  private freed = 0;
  private nextClaim: NodeJS.Timeout | null = null;
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
   * Claims immediately or when the pace allows; calls until then share one claim. No-op in a process without jobs.
   * @param work the work that caused the call
   */
  wake(work?: NewWork): void {
    if (!this.process.runsJobs) return;
    if (work) this.job.projects?.add(work);
    if (this.nextClaim) return;
    const waitMs = this.claimedAtMs + (this.job.paceMs ?? PACE_MS) - performance.now();
    if (waitMs <= 0) {
      void this.loop.wake();
      return;
    }
    this.nextClaim = setTimeout(() => {
      this.nextClaim = null;
      void this.loop.wake();
    }, waitMs).unref();
  }

  /** Works on everything that is due, including items that wait for a free slot, until nothing is left. */
  async drain(): Promise<void> {
    for (;;) {
      const wasIdle = this.tasks.size === 0;
      const before = this.started;
      await this.loop.wake();
      const isDone = this.started === before && this.job.projects?.isAtStart !== false;
      if (wasIdle && isDone) return;
      await Promise.all([...this.tasks].map(({ done }) => done));
    }
  }

  get isStopping(): boolean {
    return this.stopped !== null;
  }

  /**
   * Waits for running work within the grace period. Work that ends later is not recorded; another process repeats it.
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.cancelNextClaim();
    await this.loop.stop();
    const { shutdownGraceMs } = this.process;
    await within(Promise.all([...this.tasks].map(({ done }) => done)), shutdownGraceMs, undefined);
    for (const task of this.tasks) task.abandoned = true;
    this.stopHeartbeat();
  }

  /** Extends the leases of all running work. Called automatically three times per lease. */
  async renewLeases(): Promise<void> {
    const { job } = this;
    const byProject = grouped(this.tasks, ({ item }) => job.projectOf?.(item) ?? job.keyOf(item));
    for (const tasks of byProject.values()) await this.renewTogether(tasks);
  }

  private async renewTogether(tasks: Task<Item>[]): Promise<void> {
    // Some may have ended while those of other projects were renewed.
    const held = tasks.filter((task) => this.tasks.has(task) && !task.recording);
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
      // Callers that requested the next claim wrote their rows before this one.
      this.cancelNextClaim();
      this.claimedAtMs = performance.now();
      const items = await this.claim(free);
      this.found = items.length;
      this.freed = 0;
      for (const item of items) this.start(new Task(item, item.leaseUntil));
      // Fewer than requested: the remaining due items wait for a slot of their own key.
      if (items.length < free.total && !this.job.projects?.hasMore(this.slots.free())) return;
    }
  }

  /** A failed claim counts as failed work, and the first success after it as completed work. */
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

  /** Items may be waiting for the freed slots. If many are free, claim without waiting for the pace. */
  private refill(): void {
    if (this.freed >= this.found * WORTH_A_CLAIM) void this.loop.wake();
    else this.wake();
  }

  private cancelNextClaim(): void {
    if (this.nextClaim) clearTimeout(this.nextClaim);
    this.nextClaim = null;
  }

  private stopHeartbeat(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
    this.heartbeat = null;
  }
}
