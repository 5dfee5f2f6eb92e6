/** Maximum number of projects that one poll reads. */
export const PROJECTS_PER_POLL = 2_000;

/** Look-ahead of a poll (ms): longer than a full round of half-second polls over 200,000 projects. */
export const AHEAD_MS = 60_000;

/** Interval of polls for other projects between batches, while there is work (ms). */
const POLL_EVERY_MS = 250;

/** `dueAtMs`: when the project's earliest work was, or will be, due. */
export interface ProjectDue {
  projectId: string;
  dueAtMs: number;
}

/** The projects after a position with work due now or within `AHEAD_MS`. */
export interface Poll {
  /** Longest waiting first. */
  soon: ProjectDue[];
  /** The last project read; null if no more follow. */
  last: string | null;
}

export interface BatchResult {
  isUnfinished: boolean;
  /** When the project may next have work (ms), known without a poll; null if unknown. */
  dueAtMs: number | null;
}

interface Work {
  /** Clock of the due times. */
  nowMs(): number;
  /** A monotonic clock. */
  elapsedMs(): number;
  /** Reads at most `PROJECTS_PER_POLL` projects after `after`, in id order. */
  poll(after: string): Promise<Poll>;
  /** Processes one batch of a project's work due at `dueAtMs` or later. */
  work(due: ProjectDue): Promise<BatchResult>;
  isStopping(): boolean;
}

/**
 * Polls all projects in rounds and processes one batch of each project with due work. Unfinished projects get another
 * batch in every pass, so a large project neither waits nor blocks others. Projects with work due before their next
 * poll get a batch at that time, however many projects there are.
 */
export class ProjectPoller {
  private after = '';
  private polledAtMs = -Infinity;
  /** Due times (ms) of projects with work, in the order of their batches. */
  private readonly unfinished = new Map<string, number>();
  /** Due times (ms) of projects whose work was not yet due at the last poll. */
  private readonly upcoming = new Map<string, number>();

  constructor(private readonly job: Work) {}

  get isAtStart(): boolean {
    return this.after === '';
  }

  get hasUnfinished(): boolean {
    return this.unfinished.size > 0;
  }

  /**
   * Processes one batch of each project with work, until the next poll is due; the next pass continues from there. With
   * `polls`, starts with a poll.
   * @throws the poll's error; the next poll then restarts at the first project
   */
  async pass({ polls }: { polls: boolean }): Promise<void> {
    if (polls || this.mustPoll) await this.poll();
    for (const [projectId, dueAtMs] of [...this.unfinished].slice(0, PROJECTS_PER_POLL)) {
      if (this.job.isStopping()) return;
      // Moves the project to the end of the queue.
      this.unfinished.delete(projectId);
      const { isUnfinished, dueAtMs: nextMs } = await this.job.work({ projectId, dueAtMs });
      if (nextMs !== null) (isUnfinished ? this.unfinished : this.upcoming).set(projectId, nextMs);
      if (this.mustPoll) return;
    }
  }

  private get mustPoll(): boolean {
    return this.job.elapsedMs() - this.polledAtMs >= POLL_EVERY_MS;
  }

  private async poll(): Promise<void> {
    const { after } = this;
    this.after = '';
    const { soon, last } = await this.job.poll(after);
    this.after = last ?? '';
    this.polledAtMs = this.job.elapsedMs();
    for (const { projectId, dueAtMs } of soon) this.upcoming.set(projectId, dueAtMs);
    this.promoteDue();
  }

  private promoteDue(): void {
    const nowMs = this.job.nowMs();
    for (const [projectId, dueAtMs] of this.upcoming) {
      if (dueAtMs > nowMs) continue;
      this.upcoming.delete(projectId);
      const earlierMs = this.unfinished.get(projectId) ?? Infinity;
      this.unfinished.set(projectId, Math.min(earlierMs, dueAtMs));
    }
  }
}
