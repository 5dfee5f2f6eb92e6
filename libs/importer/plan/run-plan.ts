import { EXIT_DONE, ImportFailed } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import {
  type AskSecret,
  type Environment,
  type Flags,
  sourceSettings,
  type SourceSettings,
  targetSettings,
  textOf,
} from '../command/settings.js';
import { reachSource, reachTarget } from '../run/preflight.js';
import { SourceApi } from '../source/source-api.js';
import { TargetApi } from '../target/target-api.js';
import { planFacts, type SourceFacts, sourceFacts } from './plan-facts.js';
import { planSteps, planText } from './plan-steps.js';

/** Runs `tenure import plan`. Returns the exit code. @throws ImportFailed if the target cannot be reached */
export async function runPlan(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
  runtime: Runtime,
): Promise<number> {
  const settings = await targetSettings(flags, env, ask);
  // The source is optional, so do not prompt for its key.
  const hasSource = textOf(flags, 'sourceKey', env, 'TENURE_SOURCE_KEY') !== null;
  const source = hasSource ? await sourceSettings(flags, env, null) : null;
  const target = new TargetApi(settings, runtime, runtime.stop);
  await reachTarget(target, settings.project);
  const facts = await planFacts(target, settings.url, source && (await knownSource(source, runtime)));
  const steps = planSteps(facts);
  runtime.writeOutput(flags.json === true ? `${JSON.stringify(steps, null, 2)}\n` : planText(steps, facts));
  return EXIT_DONE;
}

/** If the source cannot be read, the plan only lacks a few check marks. */
async function knownSource(settings: SourceSettings, runtime: Runtime): Promise<SourceFacts | null> {
  const warn = (message: string) => runtime.writeError(`${message}\n`);
  try {
    const source = new SourceApi(settings, runtime, runtime.stop, warn);
    return await sourceFacts(source, await reachSource(source, settings.project));
  } catch (error) {
    if (!(error instanceof ImportFailed) || runtime.stop.aborted) throw error;
    warn(`The source cannot be read: ${error.message}`);
    return null;
  }
}
