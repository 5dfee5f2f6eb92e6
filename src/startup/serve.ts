import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { systemClock } from '../../libs/kernel/index.js';
import { createApplication, type RootModule } from './application.js';
import type { Config } from '../platform/config/config.js';
import type { Listener } from '../platform/http/pipeline/listener.js';
import { ProcessMetrics } from '../platform/observability/cluster-metrics.js';
import type { LogService } from '../platform/observability/log.service.js';
import { serveMetrics } from '../platform/observability/metrics-server.js';
import { ReadinessService } from '../platform/observability/readiness.service.js';
import { startTracing } from '../platform/observability/tracing.js';
import { announce } from './announce.js';
import { onStopSignal } from './signals.js';
import { StartSteps } from './start-steps.js';

const JOBS_NICENESS = 10;

interface ServeOptions {
  loadRoot: () => Promise<RootModule>;
  stop: AbortSignal;
  steps: StartSteps;
  /** The HTTP server, if it is already listening. */
  listener?: Listener;
  announces: boolean;
  afterStop?: () => Promise<void>;
}

/** @throws Error if a port is unavailable */
async function listen(app: NestExpressApplication, config: Config): Promise<Server> {
  const server = await app.listen(config.port, config.host);
  const { metricsPort, metricsToken, host } = config;
  if (metricsPort !== null) {
    const at = { port: metricsPort, host, token: metricsToken };
    await serveMetrics(at, () => app.get(ProcessMetrics).text());
  }
  return server;
}

/** Some sandboxes do not allow it: jobs then run at the priority of requests. */
function lowerPriority(log: LogService): void {
  try {
    setPriority(Math.max(getPriority(), JOBS_NICENESS));
  } catch (error) {
    log.warn({ err: error }, 'the priority of the jobs process could not be lowered');
  }
}

export async function serve(
  config: Config,
  log: LogService,
  { loadRoot, stop, steps, listener, announces, afterStop }: ServeOptions,
): Promise<void> {
  // Requests take precedence on a machine shared with the jobs process.
  if (config.role === 'worker') lowerPriority(log);
  const stopTracing =
    config.tracesProtocol === null
      ? null
      : await startTracing(config.tracesProtocol, {
          podName: config.ownPodName,
          tracesPerSecond: config.tracesPerSecond,
        });
  const { app, server } = await steps.run(async (undoneBy) => {
    const app = await createApplication(await loadRoot(), config, systemClock, log, listener);
    undoneBy(() => app.close());
    return { app, server: await listen(app, config) };
  });
  steps.done();
  onStopSignal(stop, log, { withinMs: config.drainMs + config.shutdownGraceMs }, async (signal) => {
    app.get(ReadinessService).leave();
    // After Ctrl-C there is no load balancer to wait for.
    if (signal === 'SIGTERM') await sleep(config.drainMs);
    // Requests that never end must not keep the process alive.
    const force = setTimeout(() => server.closeAllConnections(), config.shutdownGraceMs);
    try {
      await app.close();
    } finally {
      clearTimeout(force);
      if ((await stopTracing?.()) === false) log.warn({}, 'the last traces could not be sent');
      await afterStop?.();
    }
  });
  // With port 0, the system has chosen a free one.
  const { port } = server.address() as AddressInfo;
  if (announces) await announce(app, config.with({ port }));
}

/** The primary has already migrated the database. */
export async function serveAsWorker(
  config: Config,
  log: LogService,
  options: Pick<ServeOptions, 'loadRoot' | 'stop' | 'announces'>,
): Promise<void> {
  await serve(config, log, { ...options, steps: new StartSteps(options.stop, log) });
}
