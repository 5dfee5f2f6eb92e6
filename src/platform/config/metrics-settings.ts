import { setting } from './setting.js';
import { boolean, integer, token } from './setting-values.js';

export const metricsSettings = {
  metricsPort: setting<number | null>({
    variable: 'SERVICE_METRICS_PORT',
    description:
      'Separate TCP port for `/metrics`; `PORT` then answers 404 for it, so metrics stay internal. 0 picks a ' +
      'free one.',
    default: null,
    defaultNote: '`/metrics` at `PORT`',
    parse: integer(0, 65535),
  }),
  metricsToken: setting<string | null>({
    variable: 'SERVICE_METRICS_TOKEN',
    description: 'Bearer token that `/metrics` requires, at either port; 16 to 200 characters.',
    secret: true,
    default: null,
    defaultNote: 'none',
    parse: token,
  }),
  metricsPublic: setting({
    variable: 'SERVICE_METRICS_PUBLIC',
    description:
      'Let anyone who reaches `PORT` read `/metrics`. In production this, `SERVICE_METRICS_PORT` or ' +
      '`SERVICE_METRICS_TOKEN` must be set.',
    default: false,
    parse: boolean,
  }),
};
