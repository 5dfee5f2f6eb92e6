import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT_DONE, EXIT_FAILED, Interrupted } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import type { AskSecret, Environment, Flags } from '../command/settings.js';
import { Progress } from '../report/progress.js';
import { reachSource, reachTarget } from '../run/preflight.js';
import { runImport } from '../run/run-import.js';
import { SourceApi } from '../source/source-api.js';
import { TargetApi } from '../target/target-api.js';
import type { TargetEntitlement } from '../target/target.model.js';
import { CustomerChecker, type ListedId } from './customer-checker.js';
import { IdUnion } from './id-union.js';
import { type Difference, differenceTypes, type VerifyReport } from './verify.model.js';
import { VerifyCustomers } from './verify-customers.js';
import { type VerifySettings, verifySettings } from './verify-settings.js';
import { entitlementKeys, SourceSide, TargetSide } from './verify-sides.js';
import { VerifyTally } from './verify-tally.js';
import { verifyText } from './verify-text.js';

/** Runs `tenure import verify`. Returns the exit code. @throws ImportFailed if a side cannot be read */
export async function runVerify(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
  runtime: Runtime,
): Promise<number> {
  const settings = await verifySettings(flags, env, ask);
  const run = new VerifyRun(settings, runtime);
  const report = await run.verify(async (ids) => {
    await importAgain(
      ids,
      { ...flags, sourceProject: run.sourceProject, toProject: run.targetProject },
      settings,
      env,
      runtime,
    );
  });
  runtime.writeOutput(settings.json ? `${JSON.stringify(report, null, 2)}\n` : verifyText(report));
  return report.differences.length + report.differences_left_out > 0 ? EXIT_FAILED : EXIT_DONE;
}

/** Runs `tenure import --ids` with its own state, and prints its report among the warnings. */
async function importAgain(
  ids: string[],
  flags: Flags,
  { source, target }: VerifySettings,
  env: Environment,
  runtime: Runtime,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-verify-'));
  try {
    const file = join(folder, 'ids.json');
    await writeFile(file, JSON.stringify(ids));
    const keys = { sourceKey: source.key, sourceV1Key: source.v1Key ?? undefined, toKey: target.key };
    const more = { ids: file, state: join(folder, 'state.json'), json: false, limit: undefined };
    const reporting: Runtime = {
      clock: runtime.clock,
      sleep: (ms, signal) => runtime.sleep(ms, signal),
      random: () => runtime.random(),
      writeOutput: (text) => runtime.writeError(text),
      writeError: (text) => runtime.writeError(text),
      isTerminal: runtime.isTerminal,
      stop: runtime.stop,
    };
    await runImport({ ...flags, ...keys, ...more }, env, null, reporting);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class VerifyRun {
  private readonly source: SourceApi;
  private readonly target: TargetApi;
  private readonly tally = new VerifyTally();
  private readonly progress: Progress;
  private expected: number | null = null;
  private fixed = 0;
  sourceProject = '';
  targetProject = '';

  constructor(
    private readonly settings: VerifySettings,
    private readonly runtime: Runtime,
  ) {
    this.progress = new Progress(runtime, settings.quiet, () => ({
      phase: 'customers',
      read: this.tally.customers.checked,
      expected: this.expected,
      pausedMs: this.source.customerBucket.pausedMs,
    }));
    this.target = new TargetApi(settings.target, runtime, runtime.stop);
    this.source = new SourceApi(settings.source, runtime, runtime.stop, (message) =>
      this.progress.warn(message),
    );
  }

  async verify(importAgain: (ids: string[]) => Promise<void>): Promise<VerifyReport> {
    const startedAt = this.runtime.clock.nowMs();
    this.targetProject = await reachTarget(this.target, this.settings.target.project);
    this.sourceProject = await reachSource(this.source, this.settings.source.project);
    const { checker, source, target } = await this.begin();
    this.progress.begin();
    try {
      await this.compare(checker, source, target);
    } finally {
      this.progress.end();
    }
    if (this.settings.fix) await this.fix(importAgain);
    return this.report(startedAt);
  }

  /** Reads the current lookup keys of entitlements, because an import adds some. */
  private async begin(): Promise<{ checker: CustomerChecker; source: SourceSide; target: TargetSide }> {
    const { environment, deep, toleranceMs } = this.settings;
    const shared = { environment, deep, warn: (message: string) => this.progress.warn(message) };
    const [keysAtSource, keysAtTarget] = await Promise.all([
      this.source.entitlements(this.sourceProject).then(entitlementKeys),
      this.target.configured<TargetEntitlement>('entitlements').then(entitlementKeys),
    ]);
    const source = new SourceSide(this.source, this.sourceProject, {
      ...shared,
      entitlementKeys: keysAtSource,
    });
    const target = new TargetSide(this.target, { ...shared, entitlementKeys: keysAtTarget });
    const checker = new CustomerChecker(source, target, {
      nowMs: () => this.runtime.clock.nowMs(),
      toleranceMs,
    });
    return { checker, source, target };
  }

  private async compare(checker: CustomerChecker, source: SourceSide, target: TargetSide): Promise<void> {
    const { ids, sample } = this.settings;
    if (ids) {
      this.expected = ids.length;
      await this.customers(checker, ids.slice(0, sample ?? ids.length).map(unlisted));
      return;
    }
    const union = await IdUnion.of(source, target);
    try {
      this.expected = sample;
      await this.customers(checker, firstOf(union.listed(), sample ?? Infinity));
    } finally {
      await union.close();
    }
  }

  private async customers(
    checker: CustomerChecker,
    ids: AsyncIterable<ListedId> | Iterable<ListedId>,
    tally = this.tally,
  ): Promise<void> {
    const { runtime, settings } = this;
    const { concurrency } = settings;
    await new VerifyCustomers({ checker, tally, runtime, concurrency, stop: runtime.stop }).run(ids);
  }

  private async fix(importAgain: (ids: string[]) => Promise<void>): Promise<void> {
    const ids = idsOf(this.tally.differences.filter((each) => each.fixable_by_import));
    if (ids.length === 0) return;
    if (this.runtime.stop.aborted) throw new Interrupted('Stopped.');
    await importAgain(ids);
    this.fixed = ids.length;
    this.tally.takeOut(new Set(ids));
    const again = new VerifyTally();
    const { checker } = await this.begin();
    await this.customers(checker, ids.map(unlisted), again);
    this.tally.addDifferences([...again.differences]);
  }

  private report(startedAt: number): VerifyReport {
    const { tally, settings, source, target } = this;
    const { production, sandbox } = tally.accessSubscriptions;
    return {
      kind: 'verify',
      version: 1,
      source: { project: this.sourceProject },
      target: { url: settings.target.url, project: this.targetProject },
      started_at: startedAt,
      finished_at: this.runtime.clock.nowMs(),
      customers: tally.customers,
      entitlements: tally.entitlements,
      access_subscriptions: {
        source: production.source + sandbox.source,
        target: production.target + sandbox.target,
        production,
        sandbox,
      },
      differences: [...tally.differences],
      differences_left_out: tally.total - tally.differences.length,
      only_in_target: tally.onlyInTarget,
      by_type: Object.fromEntries(
        differenceTypes.map((type) => [type, tally.count(type)]),
      ) as VerifyReport['by_type'],
      fixed: this.fixed,
      requests: {
        source: source.requests,
        target: target.requests,
        rate_limited_seconds: Math.round((source.rateLimitedMs + target.rateLimitedMs) / 1000),
      },
    };
  }
}

/** An id on neither list: both sides are asked for its owner. */
function unlisted(id: string): ListedId {
  return { id, inSource: false, inTarget: false };
}

function idsOf(differences: Difference[]): string[] {
  return [...new Set(differences.map(({ id }) => id))];
}

async function* firstOf<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count;
  for await (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}
