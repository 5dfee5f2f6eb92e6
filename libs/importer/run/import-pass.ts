import { noCatalogCounts } from '../catalog/catalog-run.js';
import type { ImportSettings } from '../command/import-settings.js';
import { Interrupted } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import { CustomerSender } from '../customers/customer-sender.js';
import type { CustomerPage } from '../customers/page.js';
import { Progress } from '../report/progress.js';
import type { ImportReport } from '../report/report.model.js';
import type { ImportState } from '../state/state.model.js';
import type { TargetApi } from '../target/target-api.js';
import type { ImportOrigin, PassContext, Preparation } from './origin.js';
import { PassLedger } from './pass-ledger.js';
import type { PassFiles } from './pass-files.js';

export interface ImportPassOptions {
  settings: ImportSettings;
  runtime: Runtime;
  origin: ImportOrigin;
  target: TargetApi;
  state: ImportState;
  files: PassFiles;
}

/** Runs one pass: sends and saves the origin's customers page by page. */
export class ImportPass {
  private readonly ledger: PassLedger;
  private readonly sender: CustomerSender;
  private readonly progress: Progress;
  private preparation: Preparation = {
    catalog: noCatalogCounts(),
    public_keys: { set: 0, kept: 0, failed: 0 },
    credentials_missing: [],
  };
  private waiting = { tokens: 0, ids: 0 };
  private isFinished = false;

  constructor(private readonly options: ImportPassOptions) {
    const { settings, runtime, origin, target, state } = options;
    this.ledger = new PassLedger(state);
    this.sender = new CustomerSender(target, settings, this.ledger);
    this.progress = new Progress(runtime, settings.quiet, () => ({
      phase: state.phase === 'catch_up' ? 'catch-up' : 'customers',
      read: state.counts.read,
      expected: origin.expected ?? state.expected,
      pausedMs: origin.pausedMs,
    }));
  }

  /** @throws ImportFailed; the state is then that of the last finished page */
  async run(): Promise<void> {
    const { settings, origin, state, target, files } = this.options;
    this.progress.begin();
    try {
      const context: PassContext = {
        ledger: this.ledger,
        files,
        warn: (message) => this.progress.warn(message),
      };
      this.preparation = await origin.prepare(context);
      if (state.phase === 'catalog') state.phase = 'customers';
      await files.save(state);
      for await (const page of origin.pages(context)) await this.finish(page);
      if (!settings.dryRun) {
        const status = await target.importStatus();
        this.waiting = { tokens: status.needs_token_refresh, ids: status.unconfirmed_original_ids ?? 0 };
      }
      state.phase = 'done';
      state.next_page = null;
      await files.finish(this.toSave());
      this.isFinished = true;
    } finally {
      this.progress.end();
    }
  }

  report(): ImportReport {
    const { settings, runtime, origin, state } = this.options;
    const { counts } = state;
    const { requests_source, requests_target, rate_limited_ms } = this.toSave().counts;
    return {
      kind: 'import',
      version: 1,
      dry_run: settings.dryRun,
      source: { project: state.source.project },
      target: state.target,
      pass: state.pass,
      complete: this.isFinished && settings.limit === null,
      started_at: state.started_at,
      finished_at: runtime.clock.nowMs(),
      catalog: this.preparation.catalog,
      public_keys: this.preparation.public_keys,
      customers: {
        read: counts.read,
        created: counts.created,
        updated: counts.updated,
        merged: counts.merged,
        gone: counts.gone,
        failed: counts.failed,
        found_by_catch_up: counts.found_by_catch_up,
      },
      subscriptions: counts.subscriptions,
      purchases: counts.purchases,
      transactions: counts.transactions,
      balances: counts.balances,
      needs_token_refresh: this.waiting.tokens,
      unconfirmed_original_ids: this.waiting.ids,
      google_tokens: origin.tokenCounts(),
      credentials_missing: this.preparation.credentials_missing,
      skipped: state.skipped,
      notes: state.notes,
      errors: state.errors,
      requests: {
        source: requests_source,
        target: requests_target,
        rate_limited_seconds: Math.round(rate_limited_ms / 1000),
      },
    };
  }

  /** Sends a page and saves that it is done. @throws Interrupted afterwards if a stop was requested */
  private async finish({ customers, gone, asOf, next, phase, isCatchUp, done }: CustomerPage): Promise<void> {
    const { runtime, state, files } = this.options;
    await this.sender.send(
      customers.map(({ item }) => item),
      asOf,
    );
    this.ledger.count('read', customers.length);
    if (isCatchUp) this.ledger.count('found_by_catch_up', customers.length);
    this.ledger.count('gone', gone);
    for (const { item, skipped, mentioned } of customers) {
      for (const { kind, id, reason } of skipped) this.ledger.skip(kind, id, reason);
      for (const id of [item.id, ...(item.aliases ?? [])]) files.read.add(id);
      files.mentioned.add(mentioned);
    }
    for (const id of done ?? []) files.read.add(id);
    state.next_page = next;
    state.phase = phase ?? state.phase;
    state.pages_done += 1;
    state.updated_at = runtime.clock.nowMs();
    await files.save(this.toSave());
    if (runtime.stop.aborted) throw new Interrupted('Stopped.');
  }

  /** Adds this run's requests to those of earlier runs of the pass. */
  private toSave(): ImportState {
    const { origin, target, state } = this.options;
    const { counts } = state;
    return {
      ...state,
      counts: {
        ...counts,
        requests_source: counts.requests_source + origin.requests,
        requests_target: counts.requests_target + target.requests,
        rate_limited_ms: counts.rate_limited_ms + origin.rateLimitedMs + target.rateLimitedMs,
      },
    };
  }
}
