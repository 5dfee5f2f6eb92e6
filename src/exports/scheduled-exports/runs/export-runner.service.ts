import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { DatabaseClockService } from '../../../platform/jobs/database-clock.service.js';
import { ReportRowsService } from '../../report-rows/report-rows.service.js';
import { ExportsRepository } from '../exports.repository.js';
import { type ClaimedRun, ExportRunsRepository } from './export-runs.repository.js';
import { RunCompletionService } from './run-completion.service.js';
import { RunEndingService } from './run-ending.service.js';
import type { RunAttempt, RunInHand } from './run-in-hand.js';
import { type RunTarget, RunTargetService } from './run-target.service.js';
import { interruptedError, MAX_ATTEMPTS, RunLost } from './writing/run-errors.js';
import { RunWritingService } from './writing/run-writing.service.js';

/** How long a run waits for changes from before its start. After that, `data_until` shows what it has. */
const MAX_PREPARING_MS = 10 * 60_000;
const PREPARING_POLL_MS = 2_000;

/** Works on a run that this process has claimed, from wherever the last process has left it. */
@Injectable()
export class ExportRunnerService {
  constructor(
    private readonly runs: ExportRunsRepository,
    private readonly exports: ExportsRepository,
    private readonly targets: RunTargetService,
    private readonly reportRows: ReportRowsService,
    private readonly writing: RunWritingService,
    private readonly completion: RunCompletionService,
    private readonly ending: RunEndingService,
    private readonly database: DatabaseService,
    private readonly clock: DatabaseClockService,
  ) {}

  /** @param signal aborted with `RunStopped` when the process stops */
  async work(claimed: ClaimedRun, signal: AbortSignal): Promise<void> {
    const run = await this.runs.find({ projectId: claimed.projectId, id: claimed.id });
    if (run?.claims !== claimed.claims) return;
    const attempt: RunAttempt = { claimed, run, store: null, uploads: [...run.uploads], completed: [] };
    try {
      if (run.finishedAt === null) await this.advance(attempt, signal);
      else await this.cleanUp(attempt);
    } catch (error) {
      await this.endWith(attempt, error, signal);
    } finally {
      await attempt.store?.close();
    }
  }

  private async advance(attempt: RunAttempt, signal: AbortSignal): Promise<void> {
    const { claimed } = attempt;
    const parent = await this.exports.find({ projectId: claimed.projectId, id: claimed.exportId });
    if (!parent) throw new RunLost();
    if (attempt.run.state === 'queued') {
      await this.start(attempt);
      await this.targets.assertPermitted(parent);
    }
    const target = await this.openTarget(attempt, attempt.run.destinationId);
    if (attempt.run.state === 'writing' && !(await this.startAgain(attempt))) return;
    if (attempt.run.state === 'preparing' && !(await this.isPrepared(attempt))) return;
    const hand: RunInHand = Object.assign(attempt, { parent, signal, ...target });
    if (hand.run.state === 'preparing') await this.writing.write(hand);
    await this.completion.complete(hand);
  }

  private async openTarget(attempt: RunAttempt, destinationId: string): Promise<RunTarget> {
    const target = await this.targets.open(attempt.claimed.projectId, destinationId);
    attempt.store = target.store;
    return target;
  }

  private async start(attempt: RunAttempt): Promise<void> {
    const { run } = attempt;
    await this.runs.save(attempt, {
      state: 'preparing',
      attempt: run.attempt + 1,
      startedAt: run.startedAt ?? new Date(this.clock.nowMs()),
    });
  }

  /** The last process died while it wrote, so nothing was visible. Returns false if that was the last attempt. */
  private async startAgain(attempt: RunAttempt): Promise<boolean> {
    if (attempt.run.attempt >= MAX_ATTEMPTS) {
      await this.ending.failForGood(attempt, interruptedError);
      return false;
    }
    const warnings = await this.ending.removeAll(attempt);
    attempt.uploads = [];
    await this.runs.save(attempt, { state: 'queued', uploads: [], files: [], warnings });
    await this.start(attempt);
    return true;
  }

  /** Whether changes from before the start are in the report rows. If not, another look is due soon. */
  private async isPrepared(attempt: RunAttempt): Promise<boolean> {
    const { projectId } = attempt.claimed;
    const nowMs = this.clock.nowMs();
    const startedMs = attempt.run.startedAt?.getTime() ?? nowMs;
    const { isBuilt, dataUntilMs } = await this.reportRows.status(this.database, projectId);
    if (isBuilt && (dataUntilMs >= startedMs || nowMs - startedMs >= MAX_PREPARING_MS)) return true;
    await this.runs.save(attempt, { dueAt: new Date(nowMs + PREPARING_POLL_MS), leaseUntil: null });
    return false;
  }

  private async cleanUp(attempt: RunAttempt): Promise<void> {
    const { run } = attempt;
    // The project or the destination may be deleted, with its secrets.
    await this.openTarget(attempt, run.destinationId).catch(() => undefined);
    await this.ending.cleanUp(attempt);
  }

  private async endWith(attempt: RunAttempt, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof RunLost) return this.endLost(attempt);
    // Timers and requests fail with errors of their own when the process stops.
    if (signal.aborted) return this.ending.release(attempt);
    return this.ending.fail(attempt, error);
  }

  private async endLost(attempt: RunAttempt): Promise<void> {
    const { claimed, run } = attempt;
    const stored = await this.runs.find({ projectId: claimed.projectId, id: claimed.id });
    const isOwn = stored?.claims === claimed.claims;
    // Another process completes the same uploads.
    if (!isOwn && stored && run.state === 'completing') return;
    await this.ending.cleanUp(attempt);
  }
}
