/** Most projects that one look goes through: bounds what it costs, however many there are. */
export const PROJECTS_IN_A_LOOK = 2_000;

/** The projects behind a place that have something due. */
export interface Look {
  /** Their ids, the one that has waited longest first. */
  due: string[];
  /** The last project that was looked at; null when there is none behind. */
  last: string | null;
}

interface Work {
  /** Looks at no more than `PROJECTS_IN_A_LOOK` projects, by their ids, behind `after`. */
  look(after: string): Promise<Look>;
  /** Does some of what is due of a project; true when there may be more. */
  work(projectId: string): Promise<boolean>;
  isStopping(): boolean;
}

/**
 * Whose turn it is: goes round all projects, some in a pass, and gives each that has something due one turn. Those that
 * are not done after it have another one in every pass, so that a large project neither waits nor keeps others waiting.
 */
export class ProjectTurns {
  private after = '';
  private readonly unfinished = new Set<string>();

  constructor(private readonly job: Work) {}

  /** True when the next pass begins with the first project. */
  get isAtStart(): boolean {
    return this.after === '';
  }

  /** True when a project is known to have more to do. */
  get hasUnfinished(): boolean {
    return this.unfinished.size > 0;
  }

  /** @throws what the look throws; the next pass then begins with the first project */
  async pass(): Promise<void> {
    const { after } = this;
    this.after = '';
    const { due, last } = await this.job.look(after);
    this.after = last ?? '';
    const again = [...this.unfinished].slice(0, PROJECTS_IN_A_LOOK);
    for (const projectId of new Set([...due, ...again])) {
      if (this.job.isStopping()) return;
      // To the end of those that wait for another turn.
      this.unfinished.delete(projectId);
      if (await this.job.work(projectId)) this.unfinished.add(projectId);
    }
  }
}
