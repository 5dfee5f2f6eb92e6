import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Runtime } from '../../libs/importer/command/runtime.js';
import type { Flags } from '../../libs/importer/command/settings.js';
import type { ImportReport } from '../../libs/importer/report/report.model.js';
import { runImport } from '../../libs/importer/run/run-import.js';

/** A process for tests: its time passes only while something sleeps, and all that it writes is kept. */
export class TestRuntime implements Runtime {
  readonly clock: ManualClock;
  output = '';
  errors = '';
  isTerminal = false;
  slept: number[] = [];
  private readonly stopping = new AbortController();
  readonly stop = this.stopping.signal;

  constructor(nowMs: number) {
    this.clock = new ManualClock(nowMs);
  }

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.clock.advanceMs(ms);
    await Promise.resolve();
  };

  random = (): number => 0.5;

  writeOutput = (text: string): void => {
    this.output += text;
  };

  writeError = (text: string): void => {
    this.errors += text;
  };

  requestStop(): void {
    this.stopping.abort('SIGTERM');
  }
}

export interface BenchSides {
  sourceUrl: string;
  sourceKey: string;
  targetUrl: string;
  targetKey: string;
}

function reportOf(output: string): ImportReport {
  return output.startsWith('{') ? JSON.parse(output) : ({} as ImportReport);
}

/** Runs imports in this process, with a state file in a folder of their own. */
export class ImportBench {
  private constructor(readonly folder: string) {}

  static async open(): Promise<ImportBench> {
    return new ImportBench(await mkdtemp(join(tmpdir(), 'tenure-import-')));
  }

  get stateFile(): string {
    return join(this.folder, 'state.json');
  }

  async run(
    sides: BenchSides,
    flags: Flags = {},
    runtime = new TestRuntime(Date.now()),
  ): Promise<{ status: number; report: ImportReport; runtime: TestRuntime }> {
    const given = {
      sourceKey: sides.sourceKey,
      sourceUrl: sides.sourceUrl,
      to: sides.targetUrl,
      toKey: sides.targetKey,
      state: this.stateFile,
      json: true,
      quiet: true,
      ...flags,
    };
    const status = await runImport(given, {}, null, runtime);
    return { status, report: reportOf(runtime.output), runtime };
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
