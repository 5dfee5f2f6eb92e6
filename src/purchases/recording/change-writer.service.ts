import { Injectable } from '@nestjs/common';
import { LastSeenRecorder } from '../../customers/customers/last-seen/last-seen.recorder.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { WebhookDispatcherService } from '../../webhooks/webhooks/deliveries/webhook-dispatcher.service.js';
import type { NewStoreTask } from '../store-tasks/store-task.js';
import { StoreTasksService } from '../store-tasks/store-tasks.service.js';
import type { FinishedChange } from './change-builder.js';
import type { FoldedSubscription } from './change-set.js';
import { ChangesRepository } from './changes.repository.js';
import { EngineMetrics } from './engine.metrics.js';

@Injectable()
export class ChangeWriterService {
  constructor(
    private readonly repository: ChangesRepository,
    private readonly storeTasks: StoreTasksService,
    private readonly metrics: EngineMetrics,
    private readonly lastSeen: LastSeenRecorder,
    private readonly dispatcher: WebhookDispatcherService,
  ) {}

  async addStoreTasks(tx: Transaction, projectId: string, tasks: NewStoreTask[]): Promise<void> {
    if (tasks.length > 0) await this.storeTasks.addIn(tx, projectId, tasks);
  }

  async fold(tx: Transaction, projectId: string, folded: FoldedSubscription[]): Promise<void> {
    await this.repository.fold(tx, projectId, folded);
  }

  async save(
    tx: Transaction,
    projectId: string,
    { changes, sightings, unknownProducts }: FinishedChange,
    nowMs: number,
    maxEventsPerSecond: number | null = null,
  ): Promise<void> {
    const startedAt = performance.now();
    await this.repository.save(tx, projectId, changes, nowMs);
    if (maxEventsPerSecond !== null && changes.events.length > 0)
      await this.dispatcher.pace(tx, projectId, changes.events, maxEventsPerSecond, nowMs);
    const durationMs = performance.now() - startedAt;
    tx.afterCommit(() => {
      this.metrics.committed(changes, durationMs, unknownProducts);
      for (const { customerId, lastSeenAtMs } of sightings) {
        this.lastSeen.noteDay(projectId, customerId, lastSeenAtMs, nowMs);
      }
      if (changes.events.length > 0) this.dispatcher.wake();
    });
  }
}
