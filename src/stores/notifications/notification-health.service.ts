import { Injectable } from '@nestjs/common';
import {
  type NotificationHealthRow,
  StoreNotificationsRepository,
} from './store-notifications.repository.js';

/**
 * `waiting`: none received yet; `received`: the last one is not processed yet; `unsigned`: the store's last one had no
 * signature and was rejected; otherwise the last one's outcome.
 */
export type NotificationStatus = 'waiting' | 'received' | 'ready' | 'failing' | 'unsigned';

export interface NotificationHealth {
  status: NotificationStatus;
  lastSentAtMs: number | null;
  lastReceivedAtMs: number | null;
  /** `rejected`: not genuine; `processing`: at least one attempt to process it failed. */
  lastError: { atMs: number; type: 'rejected' | 'processing'; message: string } | null;
  /** The last copy sent to the developer's URL; status is null if there was no answer. */
  lastForward: { atMs: number; status: number | null } | null;
}

function statusOf(row: NotificationHealthRow): NotificationStatus {
  const { state, receivedAt, errorAt, errorState, errorKind } = row;
  const isUnsigned = errorState === 'rejected' && errorKind === 'unsigned';
  if (isUnsigned && errorAt && (receivedAt === null || errorAt > receivedAt)) return 'unsigned';
  if (state === null) return 'waiting';
  if (state === 'received') return 'received';
  return state === 'retrying' || state === 'failed' ? 'failing' : 'ready';
}

function healthOf(row: NotificationHealthRow): NotificationHealth {
  const { receivedAt, sentAt, errorAt, error, errorState, copiedAt, copyStatus } = row;
  return {
    status: statusOf(row),
    lastSentAtMs: sentAt?.getTime() ?? null,
    lastReceivedAtMs: receivedAt?.getTime() ?? null,
    lastError: errorAt && {
      atMs: errorAt.getTime(),
      type: errorState === 'rejected' ? 'rejected' : 'processing',
      message: error ?? '',
    },
    lastForward: copiedAt && { atMs: copiedAt.getTime(), status: copyStatus },
  };
}

@Injectable()
export class NotificationHealthService {
  constructor(private readonly repository: StoreNotificationsRepository) {}

  /** Health by app id, for all apps of a project. */
  async forProject(projectId: string): Promise<Map<string, NotificationHealth>> {
    const rows = await this.repository.health(projectId);
    return new Map(rows.map((row) => [row.appId, healthOf(row)]));
  }
}
