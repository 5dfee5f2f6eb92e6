/** Most projects that one look goes through: bounds what it costs, however many there are. */
export const PROJECTS_IN_A_LOOK = 2_000;

/** How far ahead a look sees (ms): longer than it takes to look at all of 200,000 projects, some every half second. */
export const AHEAD_MS = 60_000;

/** With less done than that, and more to do, nobody has waited long enough to be looked for. */
const TURNS_BETWEEN_LOOKS = 8;

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

interface Work {
  nowMs(): number;
  /** Looks at no more than `PROJECTS_IN_A_LOOK` projects, by their ids, behind `after`. */
  look(after: string): Promise<Look>;
  /**
   * Does some of what became due of a project at `dueAtMs` or later; gives from when on (ms) there may be more, null
   * for nobody knows.
   */
  work(due: ProjectDue): Promise<number | null>;
  isStopping(): boolean;
}

/**
 * Whose turn it is: goes round all projects, some in a look, and gives each that has something due one turn. Those that
 * are not done after it have another one in every pass, so that a large project neither waits nor keeps others waiting.
 * Who will have something due before the next look at them has a turn at that moment, however many projects there are.
 */
export class ProjectTurns {
  private after = '';
  private turnsSinceLook = 0;
  /** Since when who has something to do has had it (ms), in the order of their turns. */
  private readonly unfinished = new Map<string, number>();
  /** When others will have (ms). */
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

  /** @throws what the look throws; the next one then begins with the first project */
  async pass(): Promise<void> {
    for (const [projectId, dueAtMs] of this.ahead) this.note({ projectId, dueAtMs });
    if (this.turnsSinceLook >= TURNS_BETWEEN_LOOKS || !this.hasUnfinished) await this.look();
    for (const [projectId, dueAtMs] of [...this.unfinished].slice(0, PROJECTS_IN_A_LOOK)) {
      if (this.job.isStopping()) return;
      this.turnsSinceLook++;
      // To the end of those that wait for another turn.
      this.unfinished.delete(projectId);
      const dueAgainAtMs = await this.job.work({ projectId, dueAtMs });
      if (dueAgainAtMs !== null) this.note({ projectId, dueAtMs: dueAgainAtMs });
    }
  }

  private async look(): Promise<void> {
    const { after } = this;
    this.after = '';
    const { soon, last } = await this.job.look(after);
    this.after = last ?? '';
    this.turnsSinceLook = 0;
    for (const due of soon) this.note(due);
  }

  private note({ projectId, dueAtMs }: ProjectDue): void {
    if (dueAtMs > this.job.nowMs()) {
      this.ahead.set(projectId, dueAtMs);
      return;
    }
    this.ahead.delete(projectId);
    this.unfinished.set(projectId, dueAtMs);
  }
}
