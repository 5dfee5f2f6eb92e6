import { setTimeout as sleep } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { systemClock } from '../../libs/kernel/index.js';
import {
  askHidden,
  EXIT_DONE,
  EXIT_FAILED,
  EXIT_USAGE,
  fileKinds,
  type Flags,
  ImportFailed,
  runImport,
  runPlan,
  runVerify,
  type Runtime,
} from '../../libs/importer/index.js';
import { stopRequested } from '../startup/stop-requested.js';

const runtime: Runtime = {
  clock: systemClock,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
  writeOutput: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  stop: stopRequested,
};

/** Prompts for keys only at a terminal. */
const ask =
  process.stdin.isTTY === true
    ? (question: string) => askHidden(process.stdin, (text) => runtime.writeError(text), question)
    : null;

type Run = (flags: Flags, env: NodeJS.ProcessEnv, askSecret: typeof ask, runtime: Runtime) => Promise<number>;

/** Collects an option that may be repeated. */
function append(value: string, list: string[] = []): string[] {
  return [...list, value];
}

function withSource(command: Command): Command {
  return command
    .option('--source-key <key>', 'secret key (v2) or OAuth token of the source; else TENURE_SOURCE_KEY')
    .option(
      '--source-project <id>',
      "project at the source; else TENURE_SOURCE_PROJECT, or the key's only one",
    )
    .option('--source-url <url>', 'base URL of the source')
    .option('--source-v1-key <key>', 'secret key (v1), for refunds; else TENURE_SOURCE_V1_KEY');
}

function withTarget(command: Command): Command {
  return command
    .option('--to <url>', 'the target server; else TENURE_URL')
    .option('--to-key <key>', 'secret key of the target; else TENURE_KEY')
    .option('--to-project <id>', "project at the target; else the key's");
}

function withReading(command: Command): Command {
  return command
    .option('--concurrency <n>', 'customers read at once, 1 to 32 (default: 4)')
    .option('--limit <n>', 'only the first n customers')
    .option('--page-size <n>', 'customers a page, 1 to 100 (default: 50)')
    .option('--ids <file>', 'only these source ids: JSON array, one a line, or a verify report')
    .option('--environment <environment>', 'production, sandbox or both (default: both)')
    .option('--json', 'report as JSON on standard output')
    .option('--quiet', 'no progress');
}

function importProgram(onStatus: (status: number) => void): Command {
  const run = (work: Run) => async (flags: Flags) => onStatus(await work(flags, process.env, ask, runtime));
  const program = new Command('tenure import').description(
    'Moves customers, purchases and catalog from another system to a server. Speaks HTTP only; needs no database.',
  );
  program.enablePositionalOptions();
  withReading(withTarget(withSource(program)))
    .option('--from <kind>', `api, or what the files are: ${fileKinds.join(', ')} (default: api)`)
    .option('--file <path...>', 'files of --from')
    .option(
      '--app <store=app>',
      "app of the target for a store of the files; else the store's only one",
      append,
    )
    .option('--state <file>', 'state file (default: ./tenure-import-<source project>.json)')
    .option('--dry-run', 'read everything, write nothing')
    .option('--restart', 'forget the state and start at the first page')
    .option('--google-tokens <csv>', 'purchase tokens of Google Play')
    .option('--no-public-keys', "keep the target's own app keys")
    .option('--emit-events', 'send webhooks for what is imported')
    .option('--yes', 'do not ask before sending events')
    .option('--no-resolve', 'ask no store for missing identifiers')
    .action(run(runImport));
  withReading(withTarget(withSource(program.command('verify'))))
    .description('compare what customers have on both sides; status 1 if anything differs')
    .option('--sample <n>', 'only n customers, chosen by a hash of their ids')
    .option('--tolerance <seconds>', 'how far apart two ends may be (default: 60)')
    .option('--deep', 'compare one-time purchases and balances, too')
    .option('--fix', 'import again what differs, then compare it again')
    .action(run(runVerify));
  withTarget(withSource(program.command('plan')))
    .description('list the steps of a migration with the ids and addresses of this project')
    .option('--json', 'steps as JSON')
    .action(run(runPlan));
  return program;
}

/** Runs `tenure import …` and sets the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runImportCommand(args: string[]): Promise<void> {
  let status = EXIT_DONE;
  const program = importProgram((code) => (status = code));
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) status = error.exitCode === 0 ? EXIT_DONE : EXIT_USAGE;
    else {
      const isExpected = error instanceof ImportFailed;
      process.stderr.write(`${isExpected ? error.message : String((error as Error).stack)}\n`);
      status = isExpected ? error.exitCode : EXIT_FAILED;
    }
  }
  process.exitCode = status;
}
