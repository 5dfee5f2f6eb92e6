import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Store } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { VerificationFailure } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasks } from '../../purchases/store-tasks/store-tasks.js';
import { type CallingApp, StoreConnections } from './store-connections.js';

/** Credentials that a store refuses. */
export interface CredentialFailure {
  /** Since when, epoch ms. */
  sinceMs: number;
  message: string;
}

const MINUTE_MS = 60_000;
const PAUSES_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS);
const MAX_PAUSE_MS = 60 * MINUTE_MS;
const MAX_MESSAGE = 500;
/** What waits is not called for a shorter refusal: a key with some of its permissions is refused and taken in turn. */
const LONG_MS = 5 * MINUTE_MS;
/** Stores that take nothing without credentials; the App Store's purchases may prove themselves. */
const ASKED_EACH_TIME: ReadonlySet<Store> = new Set(['amazon', 'play_store', 'stripe']);

/** Does what waited for a store to take the credentials of an app again; `since`: it had refused them from then on. */
type Recovery = (place: { projectId: string; appId: string }, since: Date) => Promise<void>;

/** Which apps have credentials that their store refuses. Asks the store by itself until it takes them again. */
@Injectable()
export class CredentialHealth implements OnModuleInit {
  readonly kind = 'probe_credentials';
  private readonly recoveries: Recovery[] = [];

  constructor(
    private readonly tasks: StoreTasks,
    private readonly connections: StoreConnections,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  onRecovery(recovery: Recovery): void {
    this.recoveries.push(recovery);
  }

  /**
   * What an answer of a store tells of the credentials that it was asked with. Good news of credentials that were not
   * known to be refused when the app was read costs nothing.
   */
  async note(
    { projectId, id, credentialsRefused = true }: CallingApp,
    store: Store,
    answer: { failure: null } | VerificationFailure,
  ): Promise<void> {
    if (answer.failure === 'credentials') return this.failed(projectId, id, answer.message);
    if (answer.failure === null && credentialsRefused && ASKED_EACH_TIME.has(store))
      return this.worked(projectId, id);
  }

  /**
   * Makes a call with the credentials of an app, and remembers what it tells of them. `refusalOf`: what an error says
   * against them; null for anything else.
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

  /** A store refused the credentials of an app. */
  failed(projectId: string, appId: string, message: string): Promise<void> {
    const nowMs = this.clock.nowMs();
    const dueAt = new Date(nowMs + (PAUSES_MS[0] ?? MAX_PAUSE_MS));
    const error = message.slice(0, MAX_MESSAGE);
    const { kind } = this;
    return this.tasks.add(projectId, {
      appId,
      kind,
      key: '',
      detail: {},
      markAt: new Date(nowMs),
      dueAt,
      error,
    });
  }

  /** A store took the credentials of an app. */
  async worked(projectId: string, appId: string): Promise<void> {
    const removed = await this.tasks.remove({ projectId, appId, kind: this.kind, key: '' });
    if (removed) await this.recovered(projectId, appId, removed.markAt);
  }

  /** By app id. */
  async of(projectId: string): Promise<Map<string, CredentialFailure>> {
    const rows = await this.tasks.ofKind(projectId, this.kind);
    return new Map(
      rows.map(({ appId, markAt, error }) => [
        appId,
        { sinceMs: markAt?.getTime() ?? 0, message: error ?? '' },
      ]),
    );
  }

  async work({ projectId, appId, attempts, markAt }: StoreTask, app: App): Promise<StoreTaskResult> {
    const connection = this.connections.of(app.type);
    if (!connection?.verifyCredentials) return 'done';
    const { status, message } = await connection.verifyCredentials(app, {});
    if (status !== 'valid') {
      return { againAtMs: this.clock.nowMs() + (PAUSES_MS[attempts] ?? MAX_PAUSE_MS), error: message };
    }
    await this.recovered(projectId, appId, markAt);
    return 'done';
  }

  private async recovered(projectId: string, appId: string, since: Date | null): Promise<void> {
    if (since === null || this.clock.nowMs() - since.getTime() < LONG_MS) return;
    for (const recovery of this.recoveries) await recovery({ projectId, appId }, since);
  }
}
