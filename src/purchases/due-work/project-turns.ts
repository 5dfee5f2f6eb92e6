/** Most projects that one look goes through: bounds what it costs, however many there are. */
export const PROJECTS_IN_A_LOOK = 2_000;

/** How far ahead a look sees (ms): longer than it takes to look at all of 200,000 projects, some every half second. */
export const AHEAD_MS = 60_000;

/** While there is more to do: after what time to look, when the running turn is over, who else has something (ms). */
const LOOK_EVERY_MS = 250;

/** The moment (ms) at which something of a project was, or will be, due first. */
export interface ProjectDue {
  projectId: string;
  dueAtMs: number;
}

/** The projects behind a place that have something due, or will have within `AHEAD_MS`. */
export interface Look {
  /** The one that has waited longest first. */
  soon: ProjectDue[];
  /** The last project that was looked at; null when there is none behind. */
  last: string | null;
}

/** What a turn leaves. */
export interface Turn {
  /** There is more to do now. */
  isUnfinished: boolean;
  /** From when on (ms) there may be something to do that no look has to find; null for nothing known. */
  dueAtMs: number | null;
}

interface Work {
  /** The time that moments are of. */
  nowMs(): number;
  /** Any time that goes on by itself. */
  elapsedMs(): number;
  /** Looks at no more than `PROJECTS_IN_A_LOOK` projects, by their ids, behind `after`. */
  look(after: string): Promise<Look>;
  /** Does some of what became due of a project at `dueAtMs` or later. */
  work(due: ProjectDue): Promise<Turn>;
  isStopping(): boolean;
}

/**
 * Whose turn it is: goes round all projects, some in a look, and gives each that has something due one turn. Those that
 * are not done after it have another one in every pass, so that a large project neither waits nor keeps others waiting.
 * Who will have something due before the next look at them has a turn at that moment, however many projects there are.
 */
export class ProjectTurns {
  private after = '';
  private lookedAtMs = -Infinity;
  /** Since when who has something to do has had it (ms), in the order of their turns. */
  private readonly unfinished = new Map<string, number>();
  /** When others have a turn, or had, if it came up since the last look (ms). */
  private readonly ahead = new Map<string, number>();

  constructor(private readonly job: Work) {}

  /** True when the next look begins with the first project. */
  get isAtStart(): boolean {
    return this.after === '';
  }

  /** True when a project is known to have more to do. */
  get hasUnfinished(): boolean {
    return this.unfinished.size > 0;
  }

  /**
   * One turn of everybody who has something to do, as far as it comes until there is to be a look: the next pass goes on
   * from there. `looks`: not without looking first.
   * @throws what the look throws; the next one then begins with the first project
   */
  async pass({ looks }: { looks: boolean }): Promise<void> {
    if (looks || this.isToLook) await this.look();
    for (const [projectId, dueAtMs] of [...this.unfinished].slice(0, PROJECTS_IN_A_LOOK)) {
      if (this.job.isStopping()) return;
      // To the end of those that wait for another turn.
      this.unfinished.delete(projectId);
      const { isUnfinished, dueAtMs: nextMs } = await this.job.work({ projectId, dueAtMs });
      if (nextMs !== null) (isUnfinished ? this.unfinished : this.ahead).set(projectId, nextMs);
      if (this.isToLook) return;
    }
  }

  private get isToLook(): boolean {
    return this.job.elapsedMs() - this.lookedAtMs >= LOOK_EVERY_MS;
  }

  private async look(): Promise<void> {
    const { after } = this;
    this.after = '';
    const { soon, last } = await this.job.look(after);
    this.after = last ?? '';
    this.lookedAtMs = this.job.elapsedMs();
    for (const { projectId, dueAtMs } of soon) this.ahead.set(projectId, dueAtMs);
    this.comeUp();
  }

  /** Those ahead whose moment has come have something to do, as far as anybody knows. */
  private comeUp(): void {
    const nowMs = this.job.nowMs();
    for (const [projectId, dueAtMs] of this.ahead) {
      if (dueAtMs > nowMs) continue;
      this.ahead.delete(projectId);
      const earlierMs = this.unfinished.get(projectId) ?? Infinity;
      this.unfinished.set(projectId, Math.min(earlierMs, dueAtMs));
    }
  }
}
