import type { LeaseTerms } from './leased-work.js';
import type { FreeSlots } from './slots.js';

/** Minimum time between polls while known projects have work (ms). */
const POLL_EVERY_MS = 250;
/** A poll reads no further pages after this time (ms); the next poll continues there. */
const LONGEST_POLL_MS = 10;

/** A queue of a project. Its work shares slots. */
export interface QueuePlace {
  projectId: string;
  key: string;
}

/** A page of a poll, which reads queues in the order of their places. */
export interface QueuePage {
  due: QueuePlace[];
  /** The last queue that was read; null if no more follow. */
  last: QueuePlace | null;
}

export interface AppPlace {
  projectId: string;
  appId: string;
}

/** New work of a project, of a queue by app or of any queue. */
export type NewWork = Pick<AppPlace, 'projectId'> & Partial<AppPlace>;

export interface ClaimedByProject<Item> {
  /** Reads the queues after a place; null: from the start. */
  pollPage(now: Date, after: QueuePlace | null): Promise<QueuePage>;
  /** Claims due items of a project: at most what `free` allows, none leased by another process. */
  claim(projectId: string, terms: LeaseTerms, free: FreeSlots): Promise<Item[]>;
}

/** The key of work whose key is not known. */
const ANY = null;

/**
 * Polls for projects with due work and claims from one project after another, so that a claim reads one project only.
 * A project that had work goes to the end. The list is only a hint: claims decide.
 */
export class ProjectClaims<Item> {
  /** Keys that may have work, by project, in the order of the claims. */
  private readonly known = new Map<string, Set<string | null>>();
  /** Projects added since the last poll began. */
  private readonly added = new Set<string>();
  private after: QueuePage['last'] = null;
  private polledAtMs = -Infinity;

  constructor(
    private readonly queue: ClaimedByProject<Item>,
    /** The key whose slots an item uses. */
    private readonly keyOf: (item: Item) => string,
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {}

  /** Adds work that needs no poll. */
  add({ projectId, appId }: NewWork): void {
    this.added.add(projectId);
    this.addKey(projectId, appId ?? ANY);
  }

  /** False if the last poll ended before the last queue. */
  get isAtStart(): boolean {
    return this.after === null;
  }

  /** True if the next claim may find something for these slots. */
  hasMore(free: FreeSlots): boolean {
    return this.next(free) !== undefined;
  }

  /** Claims from one project that has work; none if no project has. */
  async claim(terms: LeaseTerms, free: FreeSlots): Promise<Item[]> {
    const isPolled = this.elapsedMs() - this.polledAtMs >= POLL_EVERY_MS;
    if (isPolled) await this.poll(terms);
    const items = await this.claimNext(terms, free);
    if (items.length > 0 || isPolled || this.hasMore(free)) return items;
    await this.poll(terms);
    return this.claimNext(terms, free);
  }

  private next({ byKey }: FreeSlots): string | undefined {
    for (const [projectId, keys] of this.known) {
      for (const key of keys) if (key === ANY || byKey.get(key) !== 0) return projectId;
    }
    return undefined;
  }

  private async claimNext(terms: LeaseTerms, free: FreeSlots): Promise<Item[]> {
    const projectId = this.next(free);
    if (projectId === undefined) return [];
    const keys = this.known.get(projectId) ?? [];
    // Before the claim: work that is added meanwhile stays known.
    this.known.delete(projectId);
    const items = await this.queue.claim(projectId, terms, free);
    // Keys without a free slot were left out.
    for (const key of keys) if (key !== ANY && free.byKey.get(key) === 0) this.addKey(projectId, key);
    this.addUnfinished(projectId, items, free);
    return items;
  }

  /** Keys for which the claim may have left work: the whole project, if it found as much as it could. */
  private addUnfinished(projectId: string, items: Item[], { total, byKey, otherKeys }: FreeSlots): void {
    if (items.length >= total) this.addKey(projectId, ANY);
    const counts = new Map<string, number>();
    for (const item of items) {
      const key = this.keyOf(item);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counts) {
      if (count >= (byKey.get(key) ?? otherKeys)) this.addKey(projectId, key);
    }
  }

  private addKey(projectId: string, key: string | null): void {
    const keys = this.known.get(projectId);
    if (keys) keys.add(key);
    else this.known.set(projectId, new Set([key]));
  }

  /** Adds projects with due work. A poll of all queues also drops the others. */
  private async poll({ now }: LeaseTerms): Promise<void> {
    const untilMs = this.elapsedMs() + LONGEST_POLL_MS;
    let place = this.after;
    const isWhole = place === null;
    this.after = null;
    // Work that is added during the poll may be missing in its result.
    this.added.clear();
    const due: QueuePage['due'] = [];
    do {
      const page = await this.queue.pollPage(now, place);
      due.push(...page.due);
      place = page.last;
    } while (place !== null && this.elapsedMs() < untilMs);
    this.after = place;
    this.polledAtMs = this.elapsedMs();
    if (isWhole && this.isAtStart) {
      const stays = new Set([...this.added, ...due.map(({ projectId }) => projectId)]);
      for (const projectId of this.known.keys()) if (!stays.has(projectId)) this.known.delete(projectId);
    }
    for (const { projectId, key } of due) this.addKey(projectId, key);
  }
}
