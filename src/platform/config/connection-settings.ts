import { boolean, integer } from './setting-values.js';
import { setting } from './setting.js';

export const connectionSettings = {
  databasePoolSize: setting({
    variable: 'SERVICE_DATABASE_POOL_SIZE',
    description: 'Maximum number of connections that one process opens to PostgreSQL.',
    default: 20,
    parse: integer(2, 500),
  }),
  reportConnections: setting<number | null>({
    variable: 'SERVICE_DATABASE_REPORT_CONNECTIONS',
    description:
      'Connections of `SERVICE_DATABASE_POOL_SIZE` for reports: metrics, exports, large lists of REST v2 and ' +
      'the logs. Reports use no other connections, so the rest are always available for purchases.',
    default: null,
    defaultNote: 'a fifth of `SERVICE_DATABASE_POOL_SIZE`, at least 1',
    parse: integer(1, 499),
  }),
  chartsParallel: setting({
    variable: 'SERVICE_CHARTS_PARALLEL',
    description:
      'Connections for reports that one chart of a large project may use at once. One always stays free for other ' +
      'reports.',
    default: 2,
    parse: integer(1, 16),
  }),
  reportTimeoutMs: setting({
    variable: 'SERVICE_DATABASE_REPORT_TIMEOUT_MS',
    description:
      'How long (ms) a report may wait for a connection and a statement. Then PostgreSQL cancels it, and the ' +
      'request answers 503 with `Retry-After`.',
    default: 10_000,
    parse: integer(100, 300_000),
  }),
  databaseTimeoutMs: setting({
    variable: 'SERVICE_DATABASE_TIMEOUT_MS',
    description:
      'How long (ms) a statement may take, including the wait for a connection. Then the connection is ' +
      'dropped, and the request answers 503 with `Retry-After`. Migrations, commands and background work on ' +
      'many rows may take longer.',
    default: 10_000,
    parse: integer(100, 300_000),
  }),
  namedStatements: setting({
    variable: 'SERVICE_DATABASE_NAMED_STATEMENTS',
    description:
      'Use server-side named statements. The server turns them off, with a warning, behind a pooler that does ' +
      'not support them: PgBouncer in transaction mode before 1.21, or with `max_prepared_statements` = 0.',
    default: true,
    parse: boolean,
  }),
};
