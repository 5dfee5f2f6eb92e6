import { readIds } from '../command/ids-file.js';
import { WrongUsage } from '../command/outcome.js';
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
} from '../command/settings.js';

export interface VerifySettings {
  source: SourceSettings;
  target: TargetSettings;
  concurrency: number;
  /** Compare only this many customers, chosen by a hash of their ids. */
  sample: number | null;
  ids: string[] | null;
  toleranceMs: number;
  environment: ImportEnvironment;
  deep: boolean;
  fix: boolean;
  json: boolean;
  quiet: boolean;
}

const MAX = Number.MAX_SAFE_INTEGER;
const YEAR_SECONDS = 366 * 86_400;

/** Reads the settings of `tenure import verify`. @throws WrongUsage before anything is sent */
export async function verifySettings(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
): Promise<VerifySettings> {
  const concurrency = integerOf(flags, 'concurrency', '--concurrency', 1, 32) ?? 4;
  const sample = integerOf(flags, 'sample', '--sample', 1, MAX);
  const limit = integerOf(flags, 'limit', '--limit', 1, MAX);
  if (sample !== null && limit !== null) throw new WrongUsage('--sample and --limit are one: give only one.');
  const tolerance = integerOf(flags, 'tolerance', '--tolerance', 0, YEAR_SECONDS) ?? 60;
  const environment = choiceOf(flags, 'environment', '--environment', importEnvironments) ?? 'both';
  const idsFile = textOf(flags, 'ids', env);
  const ids = idsFile === null ? null : await readIds(idsFile);
  const target = await targetSettings(flags, env, ask);
  const source = await sourceSettings(flags, env, ask);
  return {
    source,
    target,
    concurrency,
    sample: sample ?? limit,
    ids,
    toleranceMs: tolerance * 1000,
    environment,
    deep: flags.deep === true,
    fix: flags.fix === true,
    json: flags.json === true,
    quiet: flags.quiet === true,
  };
}
