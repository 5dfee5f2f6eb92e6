import { integer, oneOf } from './setting-values.js';
import { setting } from './setting.js';

function hostAndPort(value: string): string {
  if (!/^(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/.test(value) || value.length > 260)
    throw new Error('must be a host with an optional port, such as replica.example.com:5432');
  return value;
}

export const sqlSettings = {
  sqlAccess: setting<'off' | 'replica' | 'primary'>({
    variable: 'SERVICE_SQL_ACCESS',
    description:
      'Whether projects can create SQL users for BI tools (docs/sql-access.md), and the server they connect to: ' +
      '`replica` (recommended) or `primary`, only for people you trust with its health.',
    default: 'off',
    parse: oneOf('off', 'replica', 'primary'),
  }),
  sqlPublicHost: setting<string | null>({
    variable: 'SERVICE_SQL_PUBLIC_HOST',
    description: 'Host and port of PostgreSQL in the connection strings of SQL users.',
    default: null,
    defaultNote: 'those of the first replica, or of `DATABASE_URL` with `SERVICE_SQL_ACCESS=primary`',
    parse: hostAndPort,
  }),
  sqlStatementSeconds: setting({
    variable: 'SERVICE_SQL_STATEMENT_SECONDS',
    description:
      'How long (s) a statement of a SQL user may take, and half of what a transaction may take. Then its session ends.',
    default: 60,
    parse: integer(1, 86_400),
  }),
};
