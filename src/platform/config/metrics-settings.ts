import { setting } from './setting.js';
import { boolean, integer, token } from './setting-values.js';

/** Who may read `/metrics`, and where. */
export const metricsSettings = {
  metricsPort: setting<number | null>({
    variable: 'SERVICE_METRICS_PORT',
    description:
      'TCP port of its own for `/metrics`, which `PORT` then answers with 404: figures stay inside whatever stands in front. ' +
      '0 takes a free one.',
    default: null,
    defaultNote: '`/metrics` at `PORT`',
    parse: integer(0, 65535),
  }),
  metricsToken: setting<string | null>({
    variable: 'SERVICE_METRICS_TOKEN',
    description: 'Bearer token that `/metrics` asks for, at whichever port; 16 to 200 characters.',
    secret: true,
    default: null,
    defaultNote: 'none is asked for',
    parse: token,
  }),
  metricsPublic: setting({
    variable: 'SERVICE_METRICS_PUBLIC',
    description:
      'Anybody who reaches `PORT` may read `/metrics`. In production this, `SERVICE_METRICS_PORT` or `SERVICE_METRICS_TOKEN` ' +
      'must be set.',
    default: false,
    parse: boolean,
  }),
};
