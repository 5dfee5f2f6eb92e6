import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { LogService } from '../observability/log.service.js';
import { type LeasedItem, type LeasedJob, LeasedWork } from './leased-work.js';
import { type AppPlace, type ClaimedByProject, ProjectClaims } from './project-claims.js';

/** Log messages for a failed claim, work or renewal. */
type Failures = Record<'claim' | 'work' | 'renew', string>;

type NewJob<Item extends LeasedItem> = Omit<LeasedJob<Item>, 'onError'> & { failedTo: Failures };

@Injectable()
export class LeasedWorkFactory {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  create<Item extends LeasedItem>(
    job: NewJob<Item>,
    /** Decides what is due. */
    clock = this.clock,
  ): LeasedWork<Item> {
    const { failedTo, ...rest } = job;
    const onError = (error: unknown, doing: keyof Failures): void =>
      this.log.error({ err: error }, failedTo[doing]);
    return new LeasedWork({ ...rest, onError }, clock, this.config);
  }

  /** For a queue whose claims read one project each. */
  createByProject<Item extends LeasedItem>(
    { queue, ...job }: Omit<NewJob<Item>, 'claim' | 'projects'> & { queue: ClaimedByProject<Item> },
    clock = this.clock,
  ): LeasedWork<Item> {
    const projects = new ProjectClaims(queue, job.keyOf);
    const claim: LeasedJob<Item>['claim'] = (terms, free) => projects.claim(terms, free);
    return this.create<Item>({ ...job, projects, claim }, clock);
  }

  /** The same for a queue by app, whose slots are shared by app too. */
  createByApp<Item extends LeasedItem & AppPlace>(
    job: Omit<NewJob<Item>, 'claim' | 'projects' | 'keyOf'> & { queue: ClaimedByProject<Item> },
    clock = this.clock,
  ): LeasedWork<Item> {
    return this.createByProject<Item>({ ...job, keyOf: ({ appId }) => appId }, clock);
  }
}
