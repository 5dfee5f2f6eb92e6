import { ApiError } from '../../src/platform/http/errors/api-error.js';
import type {
  NotificationOutcome,
  NotificationSource,
  SavedNotification,
} from '../../src/stores/notifications/notification-source.js';

/** The body of a notification. */
export interface ScriptedNotification {
  id: string;
  forged?: boolean;
  subject?: string;
}

/** A store whose notifications say themselves whether they are genuine; the test says what becomes of them. */
export class ScriptedSource implements NotificationSource {
  readonly store = 'roku';
  readonly appTypes = ['roku'] as const;
  readonly processed: string[] = [];
  outcome: (notification: SavedNotification) => NotificationOutcome | Promise<NotificationOutcome> = () =>
    'processed';

  authenticate(_app: unknown, { body }: { body: Buffer }) {
    const { id, forged, subject } = JSON.parse(body.toString()) as ScriptedNotification;
    if (forged) {
      return Promise.reject(new ApiError('invalid_request', 'The signature is not genuine.', { code: 7103 }));
    }
    return Promise.resolve({
      dedupeKey: id,
      kind: 'RENEWED',
      subkind: null,
      environment: 'sandbox' as const,
      subject: subject ?? null,
      sentAtMs: 1_767_000_000_000,
    });
  }

  async process(notification: SavedNotification): Promise<NotificationOutcome> {
    this.processed.push(notification.dedupeKey);
    return this.outcome(notification);
  }
}
