import { Injectable } from '@nestjs/common';
import {
  type NotificationHealthRow,
  StoreNotificationsRepository,
} from './store-notifications.repository.js';

/** `waiting`: none came yet; `received`: the last one is not processed yet; else what became of the last one. */
export type NotificationStatus = 'waiting' | 'received' | 'ready' | 'failing';

/** How the notifications of an app fare. Times are epoch ms. */
export interface NotificationHealth {
  status: NotificationStatus;
  /** When the store sent the last one; when it came. */
  lastSentAtMs: number | null;
  lastReceivedAtMs: number | null;
  /** `rejected`: not genuine; `processing`: it could not be processed, at least at first. */
  lastError: { atMs: number; type: 'rejected' | 'processing'; message: string } | null;
  /** The last copy that was sent to the developer's own URL; status null: no answer came. */
  lastForward: { atMs: number; status: number | null } | null;
}

function statusOf(state: string | null): NotificationStatus {
  if (state === null) return 'waiting';
  if (state === 'received') return 'received';
  return state === 'retrying' || state === 'failed' ? 'failing' : 'ready';
}

function healthOf(row: NotificationHealthRow): NotificationHealth {
  const { receivedAt, sentAt, errorAt, error, errorState, copiedAt, copyStatus } = row;
  return {
    status: statusOf(row.state),
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

/** What setup health and store settings tell about notifications. */
@Injectable()
export class NotificationHealthService {
  constructor(private readonly repository: StoreNotificationsRepository) {}

  /** By app id, for all apps of a project. */
  async of(projectId: string): Promise<Map<string, NotificationHealth>> {
    const rows = await this.repository.health(projectId);
    return new Map(rows.map((row) => [row.appId, healthOf(row)]));
  }
}
