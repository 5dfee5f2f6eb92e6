import { type ImportSettings, importSettings } from '../command/import-settings.js';
import { EXIT_DONE, EXIT_FAILED, ImportFailed, Interrupted, WrongUsage } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import type { AskSecret, Environment, Flags } from '../command/settings.js';
import { FileError } from '../files/file-error.js';
import { GoogleTokens } from '../files/google-tokens.js';
import { reportText } from '../report/report-text.js';
import { SourceApi } from '../source/source-api.js';
import { lockFile } from '../state/lock-file.js';
import { newState, nextPass } from '../state/state.model.js';
import { TargetApi } from '../target/target-api.js';
import { ApiOrigin } from './api-origin.js';
import { FileOrigin } from './file-origin.js';
import { ImportPass } from './import-pass.js';
import { stateFileOf, usableState } from './open-state.js';
import type { ImportOrigin } from './origin.js';
import { PassFiles } from './pass-files.js';
import { assertMayRead, assertMayWrite, reachSource, reachTarget } from './preflight.js';

/** Time for a stopped import to finish its current page. */
const FINISH_PAGE_MS = 10_000;

/** Runs `tenure import`. Returns the exit code. @throws ImportFailed with the exit code of a failure */
export async function runImport(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
  runtime: Runtime,
): Promise<number> {
  const settings = await importSettings(flags, env, ask, runtime);
  const project = settings.source?.project ?? null;
  const known = stateFileOf(settings, project);
  if (known !== null) await usableState(known, settings, project, settings.target.project);
  const tokens = await readTokens(settings.googleTokens);
  try {
    return await untilStopped(runtime, (abort) => importWith(settings, tokens, runtime, abort));
  } finally {
    for (const warning of tokens?.warnings ?? []) runtime.writeError(`${warning}\n`);
    await tokens?.close();
  }
}

async function readTokens(file: string | null): Promise<GoogleTokens | null> {
  try {
    return file === null ? null : await GoogleTokens.read(file);
  } catch (error) {
    if (error instanceof FileError) throw new WrongUsage(error.message);
    throw error;
  }
}

/** A stop request lets the current page finish for a while, then aborts everything. */
async function untilStopped(
  runtime: Runtime,
  work: (abort: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  const stopped = (): void => {
    timer ??= setTimeout(() => controller.abort(), FINISH_PAGE_MS);
  };
  if (runtime.stop.aborted) stopped();
  runtime.stop.addEventListener('abort', stopped);
  try {
    return await work(controller.signal);
  } finally {
    runtime.stop.removeEventListener('abort', stopped);
    if (timer !== null) clearTimeout(timer);
  }
}

async function importWith(
  settings: ImportSettings,
  tokens: GoogleTokens | null,
  runtime: Runtime,
  abort: AbortSignal,
): Promise<number> {
  const target = new TargetApi(settings.target, runtime, abort);
  const targetProject = await reachTarget(target, settings.target.project);
  const origin = await originOf(settings, tokens, target, runtime, abort);
  const sourceProject = origin.place.project;
  const file = stateFileOf(settings, sourceProject) ?? '';
  const lock = settings.dryRun ? null : await lockFile(`${file}.lock`);
  try {
    const saved = await usableState(file, settings, sourceProject, targetProject);
    if (!settings.dryRun) await assertMayWrite(target);
    const now = runtime.clock.nowMs();
    const files = new PassFiles(settings.dryRun ? null : file);
    const fresh = newState(origin.place, { url: settings.target.url, project: targetProject }, now);
    const state = saved === null ? fresh : saved.phase === 'done' ? nextPass(saved, now) : saved;
    if (state === saved) await files.resume();
    else await files.begin(state);
    const pass = new ImportPass({ settings, runtime, origin, target, state, files });
    return await reported(pass, settings, runtime);
  } finally {
    await lock?.release();
  }
}

async function originOf(
  settings: ImportSettings,
  tokens: GoogleTokens | null,
  target: TargetApi,
  runtime: Runtime,
  abort: AbortSignal,
): Promise<ImportOrigin> {
  if (settings.from !== 'api' || settings.source === null) {
    const kind = settings.from === 'api' ? 'json' : settings.from;
    return new FileOrigin({ kind, settings, runtime, target });
  }
  const warn = (message: string): void => runtime.writeError(`${message}\n`);
  const source = new SourceApi(settings.source, runtime, abort, warn);
  const project = await reachSource(source, settings.source.project);
  await assertMayRead(source, project);
  return new ApiOrigin({ settings, runtime, source, project, target, tokens });
}

/** Prints the report, however the pass ended, and explains how to continue. */
async function reported(pass: ImportPass, { json }: ImportSettings, runtime: Runtime): Promise<number> {
  let failure: ImportFailed | null = null;
  try {
    await pass.run();
  } catch (error) {
    if (!(error instanceof ImportFailed)) throw error;
    failure = error;
  }
  const report = pass.report();
  runtime.writeOutput(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  if (failure === null) return report.customers.failed > 0 ? EXIT_FAILED : EXIT_DONE;
  const goOn = report.dry_run ? '' : ' The same command continues after the last finished page.';
  const reason = failure instanceof Interrupted ? 'Stopped.' : failure.message;
  runtime.writeError(`${reason}${goOn}\n`);
  return failure.exitCode;
}
