import { resolve } from 'node:path';
import { noCatalogCounts } from '../catalog/catalog-run.js';
import type { ImportSettings } from '../command/import-settings.js';
import type { Runtime } from '../command/runtime.js';
import type { ImportCustomer } from '../customer-item.js';
import type { CustomerPage } from '../customers/page.js';
import { appChoice } from '../files/app-choice.js';
import { customersInFiles, type FileKind } from '../files/file-source.js';
import type { ImportReport } from '../report/report.model.js';
import type { TargetApi } from '../target/target-api.js';
import type { ImportOrigin, PassContext, Preparation } from './origin.js';

export interface FileOriginOptions {
  kind: FileKind;
  settings: ImportSettings;
  runtime: Runtime;
  target: TargetApi;
}

/** Describes the source of a state file that was created from files. */
export function placeOfFiles(kind: FileKind, files: readonly string[]): { url: string; project: string } {
  return { url: `file:${kind}`, project: files.map((file) => resolve(file)).join(',') };
}

/** Reads export files and lists. The catalog is the target's. */
export class FileOrigin implements ImportOrigin {
  readonly place: { url: string; project: string };
  readonly requests = 0;
  readonly rateLimitedMs = 0;
  readonly pausedMs = 0;
  readonly expected: number | null;

  constructor(private readonly options: FileOriginOptions) {
    this.place = placeOfFiles(options.kind, options.settings.files);
    this.expected = options.settings.limit;
  }

  tokenCounts(): ImportReport['google_tokens'] {
    return { rows: 0, used: 0, unmatched: 0 };
  }

  prepare(): Promise<Preparation> {
    return Promise.resolve({
      catalog: noCatalogCounts(),
      public_keys: { set: 0, kept: 0, failed: 0 },
      credentials_missing: [],
    });
  }

  /** Files have the same order on each run, so customers sent by an earlier run are skipped. */
  async *pages({ ledger }: PassContext): AsyncGenerator<CustomerPage> {
    const { kind, settings, runtime, target } = this.options;
    const appIdOf = appChoice(await target.apps(), settings.apps);
    const asOf = runtime.clock.nowMs();
    let sent = ledger.state.counts.read;
    let page: ImportCustomer[] = [];
    const finished = (): CustomerPage => ({
      customers: page.map((item) => ({ item, skipped: [], mentioned: [] })),
      gone: 0,
      asOf,
      next: null,
    });
    let count = 0;
    const customers = customersInFiles(kind, {
      files: settings.files,
      appIdOf,
      nowMs: asOf,
      onSkipped: ({ kind: what, id, reason }) => ledger.skip(what, id, reason),
    });
    for await (const customer of customers) {
      if (count >= (settings.limit ?? Infinity)) break;
      count += 1;
      if (sent > 0) {
        sent -= 1;
        continue;
      }
      page.push(customer);
      if (page.length < settings.pageSize) continue;
      yield finished();
      page = [];
    }
    if (page.length > 0) yield finished();
  }
}
