import { Foundation1764000000000 } from './1764000000000-foundation.js';
import { CatalogJson1764100000000 } from './1764100000000-catalog-json.js';
import { AuditLogs1764110000000 } from './1764110000000-audit-logs.js';
import { VirtualCurrencies1764120000000 } from './1764120000000-virtual-currencies.js';
import { Metrics1764200000000 } from './1764200000000-metrics.js';
import { ProjectDeletion1764210000000 } from './1764210000000-project-deletion.js';
import { IdempotencyAndRateLimits1764220000000 } from './1764220000000-idempotency-and-rate-limits.js';
import { CustomerLists1764230000000 } from './1764230000000-customer-lists.js';
import { CustomerRecords1764250000000 } from './1764250000000-customer-records.js';
import { WebhookLog1764260000000 } from './1764260000000-webhook-log.js';
import { StoreNotifications1764300000000 } from './1764300000000-store-notifications.js';
import { StoreRefreshes1764300000001 } from './1764300000001-store-refreshes.js';
import { StoreChores1764430000000 } from './1764430000000-store-chores.js';
import { StorePolling1764460000000 } from './1764460000000-store-polling.js';

/** Every migration, oldest first. */
export const migrations = [
  Foundation1764000000000,
  CatalogJson1764100000000,
  AuditLogs1764110000000,
  VirtualCurrencies1764120000000,
  Metrics1764200000000,
  ProjectDeletion1764210000000,
  IdempotencyAndRateLimits1764220000000,
  CustomerLists1764230000000,
  CustomerRecords1764250000000,
  WebhookLog1764260000000,
  StoreNotifications1764300000000,
  StoreRefreshes1764300000001,
  StoreChores1764430000000,
  StorePolling1764460000000,
];
