import type { NotificationHealth } from '../../stores/notifications/notification-health.service.js';
import type { NotificationStateDto } from './store-settings.dto.js';

export function notificationState(
  address: string | null,
  health: NotificationHealth | undefined,
): NotificationStateDto {
  const lastError = health?.lastError ?? null;
  return {
    notification_url: address,
    last_notification_at: health?.lastSentAtMs ?? null,
    last_notification_received_at: health?.lastReceivedAtMs ?? null,
    last_notification_error: lastError && {
      at: lastError.atMs,
      type: lastError.type,
      message: lastError.message,
    },
    notification_status: health?.status ?? 'waiting',
  };
}
