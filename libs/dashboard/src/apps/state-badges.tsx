import type { SetupHealth } from '../frame/health/setup-health.queries.js';
import { Badge } from '../ui/badge.js';
import { text } from './apps.text.js';

type AppHealth = SetupHealth['apps'][number];

const muted = (words: string) => <span className="text-muted">{words}</span>;

/** Whether the store accepts an app's credentials, if known. */
export function CredentialsBadge({ health }: { health: AppHealth | undefined }) {
  if (!health) return muted(text.unknown);
  if (health.type === 'test_store') return muted(text.notNeeded);
  if (health.credentials_error) return <Badge tone="bad">{text.credentials.refused}</Badge>;
  return health.credentials_configured ? (
    <Badge tone="good">{text.credentials.set}</Badge>
  ) : (
    <Badge tone="warn">{text.credentials.missing}</Badge>
  );
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
  if (!health) return muted(text.unknown);
  if (health.type === 'test_store') return muted(text.notNeeded);
  if (health.notification_url === null) return muted(text.unsupported);
  const status = health.notification_status;
  return <Badge tone={tones[status]}>{text.notifications[status]}</Badge>;
}
