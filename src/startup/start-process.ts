import type { RootModule } from './application.js';
import type { Config } from '../platform/config/config.js';
import type { Listener } from '../platform/http/pipeline/listener.js';
import type { LogService } from '../platform/observability/log.service.js';
import { migratedDatabase } from './migrated-database.js';
import { StartSteps } from './start-steps.js';

interface StartOptions {
  stop: AbortSignal;
  listener: Listener;
  loadRoot: () => Promise<RootModule>;
}

export async function startProcess(
  config: Config,
  log: LogService,
  { stop, listener, loadRoot }: StartOptions,
): Promise<void> {
  const steps = new StartSteps(stop, log);
  const database = await migratedDatabase(config, log, stop, steps);
  // This is most of the code to load.
  const { serve } = await steps.run(() => import('./serve.js'));
  await serve(database.config, log, {
    loadRoot,
    stop,
    steps,
    listener,
    announces: true,
    afterStop: database.stop,
  });
}
