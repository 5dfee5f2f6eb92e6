import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { LogService } from '../observability/log.service.js';
import { type LeasedItem, type LeasedJob, LeasedWork } from './leased-work.js';

/** Log messages for a failed claim, work or renewal. */
type Failures = Record<'claim' | 'work' | 'renew', string>;

@Injectable()
export class LeasedWorkFactory {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  create<Item extends LeasedItem>(
    job: Omit<LeasedJob<Item>, 'onError'> & { failedTo: Failures },
    /** Decides what is due. */
    clock = this.clock,
  ): LeasedWork<Item> {
    const { failedTo, ...rest } = job;
    const onError = (error: unknown, doing: keyof Failures): void =>
      this.log.error({ err: error }, failedTo[doing]);
    return new LeasedWork({ ...rest, onError }, clock, this.config);
  }
}
