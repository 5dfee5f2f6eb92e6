import { stopRequested } from './startup/stop-requested.js';

// Loading the rest takes a second or more, and until then there is nothing to end in order.
const leave = (): void => process.exit(0);
stopRequested.addEventListener('abort', leave);
const { start } = await import('./startup/start.js');
stopRequested.removeEventListener('abort', leave);
await start(process.env, stopRequested, async () => (await import('./app.module.js')).AppModule);
