import { boolean, integer, oneOf } from './setting-values.js';
import { setting } from './setting.js';

/** Which processes there are, and what each is there for. */
export const processSettings = {
  role: setting<'all' | 'api' | 'worker'>({
    variable: 'SERVICE_ROLE',
    description:
      '`api` answers requests and leaves the background jobs to others, `worker` runs the jobs (and answers requests ' +
      'that reach it, probes and metrics among them), `all` does both.',
    default: 'all',
    parse: oneOf('all', 'api', 'worker'),
  }),
  workers: setting({
    variable: 'SERVICE_WORKERS',
    description:
      'Processes that share the port on this machine, one for each core to be used. The first one runs the jobs, too, ' +
      'when `SERVICE_ROLE` is `all`, unless those have a process of their own (`SERVICE_JOBS_PROCESS`).',
    default: 1,
    parse: integer(1, 64),
  }),
  jobsProcess: setting({
    variable: 'SERVICE_JOBS_PROCESS',
    description:
      'Whether the jobs get a process, of lower priority, beside the `SERVICE_WORKERS`, which then only answer requests. ' +
      'Only counts when `SERVICE_ROLE` is `all`.',
    default: false,
    parse: boolean,
  }),
};
