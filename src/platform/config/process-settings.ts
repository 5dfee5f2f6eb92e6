import { boolean, integer, oneOf } from './setting-values.js';
import { setting } from './setting.js';

export const processSettings = {
  role: setting<'all' | 'api' | 'worker'>({
    variable: 'SERVICE_ROLE',
    description:
      '`api` answers requests but runs no background jobs; `worker` runs jobs (and answers probes, ' +
      'metrics and other requests that reach it); `all` does both.',
    default: 'all',
    parse: oneOf('all', 'api', 'worker'),
  }),
  workers: setting({
    variable: 'SERVICE_WORKERS',
    description:
      'Processes that share the port on this machine, one for each core to use. With `SERVICE_ROLE=all` the ' +
      'first one also runs the jobs, unless `SERVICE_JOBS_PROCESS` is set.',
    default: 1,
    parse: integer(1, 64),
  }),
  jobsProcess: setting({
    variable: 'SERVICE_JOBS_PROCESS',
    description:
      'Run the jobs in a separate process of lower priority beside the `SERVICE_WORKERS`. Only with ' +
      '`SERVICE_ROLE=all`.',
    default: false,
    parse: boolean,
  }),
};
