import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import { ExperimentsService } from '../../targeting/experiments/experiments.service.js';
import { ChartRollupService } from '../charts/rollup/chart-rollup.service.js';
import { ExperimentFiguresRepository, type ExperimentKey } from './experiment-figures.repository.js';

const HOUR_MS = 3_600_000;
const FRESH_MS = 15 * 60_000;
const DUE_PER_PASS = 100;
const COMPUTED_FOR_MS = 400 * 24 * HOUR_MS;

/** Returns the time of the next computation after `nowMs`; null means never. */
export function nextComputation({ status, stoppedAt }: Experiment, nowMs: number): number | null {
  const isOver = status === 'stopped' && stoppedAt !== null && nowMs - stoppedAt.getTime() >= COMPUTED_FOR_MS;
  return isOver || status === 'draft' ? null : nowMs + HOUR_MS;
}

/** Computes experiment figures from the facts of charts, one process per experiment at a time. */
@Injectable()
export class ExperimentFiguresService {
  constructor(
    private readonly repository: ExperimentFiguresRepository,
    private readonly experiments: ExperimentsService,
    private readonly rollup: ChartRollupService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Ensures that figures exist. The next run of the job recomputes figures older than 15 minutes. */
  async refresh(experiment: Experiment): Promise<void> {
    const known = await this.repository.computation(this.database, experiment);
    const computedAt = known?.computedAt ?? null;
    if (computedAt === null) return this.computeFirst(experiment);
    const now = this.now();
    if (now.getTime() - computedAt.getTime() <= FRESH_MS) return;
    await this.repository.hasten(experiment, now);
  }

  register(): Promise<void> {
    return this.repository.register(this.now());
  }

  due(): Promise<ExperimentKey[]> {
    return this.repository.due(this.now(), DUE_PER_PASS);
  }

  /** Computes an experiment that is due. Returns false if another process computes it. */
  computeDue(
    due: ExperimentKey,
    after: (tx: Transaction, experiment: Experiment) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (!(await this.repository.claim(tx, due, this.now()))) return false;
      const experiment = await this.experiments.get(due.projectId, due.experimentId);
      await this.rollup.catchUp(experiment.projectId);
      await this.compute(tx, experiment);
      await after(tx, experiment);
      return true;
    });
  }

  /** Does nothing if another process has computed them meanwhile. */
  private async computeFirst(experiment: Experiment): Promise<void> {
    await this.rollup.catchUp(experiment.projectId);
    await this.database.transaction(async (tx) => {
      const computedAt = await this.repository.lock(tx, experiment, this.now());
      if (computedAt === null) await this.compute(tx, experiment);
    });
  }

  private compute(tx: Transaction, experiment: Experiment): Promise<void> {
    const now = this.now();
    const nextMs = nextComputation(experiment, now.getTime());
    return this.repository.compute(tx, experiment, now, nextMs === null ? null : new Date(nextMs));
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
