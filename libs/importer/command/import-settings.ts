import { access, constants, stat } from 'node:fs/promises';
import { type FileKind, fileKinds } from '../files/file-source.js';
import { readIds } from './ids-file.js';
import { WrongUsage } from './outcome.js';
import type { Runtime } from './runtime.js';
import {
  type AskSecret,
  choiceOf,
  type Environment,
  type Flags,
  type ImportEnvironment,
  importEnvironments,
  integerOf,
  type SourceSettings,
  sourceSettings,
  type TargetSettings,
  targetSettings,
  textOf,
} from './settings.js';

export interface ImportSettings {
  /** `api`, or the type of the files. */
  from: 'api' | FileKind;
  /** Null if the source is files. */
  source: SourceSettings | null;
  target: TargetSettings;
  files: string[];
  /** Values of `--app <store>=<app id>`. */
  apps: string[];
  /** Null if it is named after the source project. */
  stateFile: string | null;
  dryRun: boolean;
  restart: boolean;
  concurrency: number;
  limit: number | null;
  pageSize: number;
  googleTokens: string | null;
  publicKeys: boolean;
  emitEvents: boolean;
  resolveStoreIds: boolean;
  environment: ImportEnvironment;
  ids: string[] | null;
  json: boolean;
  quiet: boolean;
}

const MAX = Number.MAX_SAFE_INTEGER;

/** Reads the settings of `tenure import`. @throws WrongUsage before anything is sent or written */
export async function importSettings(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
  runtime: Runtime,
): Promise<ImportSettings> {
  const numbers = {
    concurrency: integerOf(flags, 'concurrency', '--concurrency', 1, 32) ?? 4,
    limit: integerOf(flags, 'limit', '--limit', 1, MAX),
    pageSize: integerOf(flags, 'pageSize', '--page-size', 1, 100) ?? 50,
  };
  const environment = choiceOf(flags, 'environment', '--environment', importEnvironments) ?? 'both';
  if (flags.emitEvents === true && flags.yes !== true && !runtime.isTerminal) {
    throw new WrongUsage('--emit-events sends webhooks for everything imported; confirm with --yes.');
  }
  const from = choiceOf(flags, 'from', '--from', ['api', ...fileKinds] as const) ?? 'api';
  const files = listOf(flags.file);
  if (from === 'api' && files.length > 0) throw new WrongUsage('--file needs --from: what the file is.');
  if (from !== 'api' && files.length === 0) throw new WrongUsage(`--from ${from} needs --file.`);
  for (const file of files) await assertReadable(file, '--file');
  const apps = listOf(flags.app);
  const googleTokens = textOf(flags, 'googleTokens', env);
  if (googleTokens !== null) await assertReadable(googleTokens, '--google-tokens');
  const idsFile = textOf(flags, 'ids', env);
  const ids = idsFile === null ? null : await readIds(idsFile);
  // Prompt for keys last, so that other wrong flags are reported before a key is typed.
  const target = await targetSettings(flags, env, ask);
  const source = from === 'api' ? await sourceSettings(flags, env, ask) : null;
  return {
    from,
    source,
    target,
    files,
    apps,
    stateFile: textOf(flags, 'state', env),
    dryRun: flags.dryRun === true,
    restart: flags.restart === true,
    ...numbers,
    googleTokens,
    publicKeys: flags.publicKeys !== false,
    emitEvents: flags.emitEvents === true,
    resolveStoreIds: flags.resolve !== false,
    environment,
    ids,
    json: flags.json === true,
    quiet: flags.quiet === true,
  };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** @throws WrongUsage if the path is not a readable file */
export async function assertReadable(file: string, flag: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
    if ((await stat(file)).isFile()) return;
  } catch (error) {
    throw new WrongUsage(`${flag}: ${file} cannot be read: ${(error as Error).message}`);
  }
  throw new WrongUsage(`${flag}: ${file} is not a file.`);
}
