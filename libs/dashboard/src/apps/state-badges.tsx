import type { SetupHealth } from '../frame/health/setup-health.queries.js';
import { Badge } from '../ui/badge.js';

const notificationLabels = {
  waiting: 'None yet',
  received: 'Received',
  ready: 'Working',
  failing: 'Failing',
  unsigned: 'Not signed',
};

type AppHealth = SetupHealth['apps'][number];

const muted = (words: string) => <span className="text-muted">{words}</span>;

/** Whether the store accepts an app's credentials, if known. */
export function CredentialsBadge({ health }: { health: AppHealth | undefined }) {
  if (!health) return muted('Not known');
  if (health.type === 'test_store') return muted('Not needed');
  if (health.credentials_error) return <Badge tone="bad">Refused</Badge>;
  return health.credentials_configured ? <Badge tone="good">Set</Badge> : <Badge tone="warn">Missing</Badge>;
}

const tones = {
  waiting: 'warn',
  received: 'accent',
  ready: 'good',
  failing: 'bad',
  unsigned: 'bad',
} as const;

/** Whether the store's notifications arrive. */
export function NotificationsBadge({ health }: { health: AppHealth | undefined }) {
  if (!health) return muted('Not known');
  if (health.type === 'test_store') return muted('Not needed');
  if (health.notification_url === null) return muted('Not received');
  const status = health.notification_status;
  return <Badge tone={tones[status]}>{notificationLabels[status]}</Badge>;
}
