import type { KeysApart } from '../../keys-apart.js';

/** What makes a repetition no second notification, in whichever month it comes. */
export const notificationKeys: KeysApart = {
  table: 'store_notifications',
  keysTable: 'store_notification_keys',
  key: ['project_id', 'app_id', 'dedupe_key'],
  place: ['id', 'received_at'],
  rows: ['project_id', 'id'],
  repeated: 'is_left_out',
};
