import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Store } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { VerificationFailure } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { StoreTask, StoreTaskKey, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import type { AlertKey } from '../../workspace/alerts/project-alert.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { type CallingApp, StoreConnectionsService } from './store-connections.service.js';

export interface CredentialFailure {
  sinceMs: number;
  message: string;
}

const MINUTE_MS = 60_000;
const PAUSES_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS);
const MAX_PAUSE_MS = 60 * MINUTE_MS;
const MAX_MESSAGE = 500;
/**
 * Shorter refusals do not trigger the waiting work: a key with only some permissions alternates between refused and
 * accepted.
 */
const LONG_MS = 5 * MINUTE_MS;
/**
 * Stores that verify nothing without credentials. The App Store is not one of them, because its purchases can be
 * signed.
 */
const ASKED_EACH_TIME: ReadonlySet<Store> = new Set(['amazon', 'paddle', 'play_store', 'roku', 'stripe']);

/** Resumes work that waited for a store to accept an app's credentials again. `since` is the start of the refusal. */
type Recovery = (place: { projectId: string; appId: string }, since: Date) => Promise<void>;

/** Called when an operator's check found that the store accepts an app's credentials. */
type Acceptance = (place: { projectId: string; appId: string }) => Promise<void>;

function alertOf(projectId: string, appId: string): AlertKey {
  return { projectId, cause: 'credentials_refused', subjectId: appId };
}

/** Tracks which apps have credentials that their store refuses, and retries them until the store accepts them. */
@Injectable()
export class CredentialHealthService implements OnModuleInit {
  readonly kind = 'probe_credentials';
  private readonly recoveries: Recovery[] = [];
  private readonly acceptances: Acceptance[] = [];

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly connections: StoreConnectionsService,
    private readonly database: DatabaseService,
    private readonly alerts: ProjectAlertsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  onRecovery(recovery: Recovery): void {
    this.recoveries.push(recovery);
  }

  onAcceptance(acceptance: Acceptance): void {
    this.acceptances.push(acceptance);
  }

  /** Records that the saved credentials were checked and work. */
  async accepted(projectId: string, appId: string): Promise<void> {
    await this.worked(projectId, appId);
    for (const acceptance of this.acceptances) await acceptance({ projectId, appId });
  }

  /**
   * Records whether a store accepted the credentials of a call. Success costs nothing unless the credentials were known
   * to be refused when the app was read.
   */
  async recordResult(
    { projectId, id, credentialsRefused = true }: CallingApp,
    store: Store,
    answer: { failure: null } | VerificationFailure,
  ): Promise<void> {
    if (answer.failure === 'credentials') return this.failed(projectId, id, answer.message);
    if (answer.failure === null && credentialsRefused && ASKED_EACH_TIME.has(store))
      return this.worked(projectId, id);
  }

  /**
   * Makes a call with an app's credentials and records whether they were accepted. `refusalOf` returns the credential
   * problem that an error reports; null for any other error.
   */
  async watched<Answer>(
    { projectId, id, credentialsRefused = true }: CallingApp,
    call: () => Promise<Answer>,
    refusalOf: (error: unknown) => string | null,
  ): Promise<Answer> {
    try {
      const answer = await call();
      if (credentialsRefused) await this.worked(projectId, id);
      return answer;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) await this.failed(projectId, id, refusal);
      throw error;
    }
  }

  async failed(projectId: string, appId: string, message: string): Promise<void> {
    const place = this.taskOf(projectId, appId);
    if (await this.tasks.exists(place)) return;
    const owner = await this.connections.forApp(projectId, appId);
    if (!owner) return;
    const { name, type: store } = owner.app;
    const nowMs = this.clock.nowMs();
    const dueAt = new Date(nowMs + (PAUSES_MS[0] ?? MAX_PAUSE_MS));
    const error = message.slice(0, MAX_MESSAGE);
    const task = { ...place, detail: {}, markAt: new Date(nowMs), dueAt, error };
    await this.database.transaction(async (tx) => {
      if (!(await this.tasks.addForLater(tx, projectId, task))) return;
      await this.alerts.open(tx, alertOf(projectId, appId), { name, store, message: error });
    });
  }

  async worked(projectId: string, appId: string): Promise<void> {
    const removed = await this.database.transaction(async (tx) => {
      const task = await this.tasks.remove(tx, this.taskOf(projectId, appId));
      if (task) await this.alerts.resolve(tx, alertOf(projectId, appId));
      return task;
    });
    if (removed) await this.recovered(projectId, appId, removed.markAt);
  }

  /** Failures by app id. */
  async forProject(projectId: string): Promise<Map<string, CredentialFailure>> {
    const rows = await this.tasks.ofKind(projectId, this.kind);
    return new Map(
      rows.map(({ appId, markAt, error }) => [
        appId,
        { sinceMs: markAt?.getTime() ?? 0, message: error ?? '' },
      ]),
    );
  }

  async work({ projectId, appId, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const connection = this.connections.forType(app.type);
    if (!connection?.verifyCredentials) return 'done';
    const { status, message } = await connection.verifyCredentials(app, {});
    if (status !== 'valid') {
      return { againAtMs: this.clock.nowMs() + (PAUSES_MS[attempts] ?? MAX_PAUSE_MS), error: message };
    }
    await this.worked(projectId, appId);
    return 'done';
  }

  private taskOf(projectId: string, appId: string): StoreTaskKey {
    return { projectId, appId, kind: this.kind, key: '' };
  }

  private async recovered(projectId: string, appId: string, since: Date | null): Promise<void> {
    if (since === null || this.clock.nowMs() - since.getTime() < LONG_MS) return;
    for (const recovery of this.recoveries) await recovery({ projectId, appId }, since);
  }
}
