import { stopRequested } from '../startup/stop-requested.js';
import { program, runCommandLine } from './command-line.js';
import { leaveWhenRequested, stoppedStatus } from './stopping.js';

/** These commands handle stop requests themselves. */
const endsInOrder = ['serve', 'import'];

program.hook('preAction', async (_, command) => {
  if (!endsInOrder.includes(command.name())) leaveWhenRequested();
  // An import only uses HTTP and loads no server code.
  if (command.name() !== 'import') await import('reflect-metadata');
});

// Commands that succeed may have set a status of their own.
if ((await runCommandLine(process.argv.slice(2))) !== 0)
  process.exitCode = stopRequested.aborted ? stoppedStatus() : 1;
