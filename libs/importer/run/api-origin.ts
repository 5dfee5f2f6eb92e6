import { type CatalogRun, noCatalogCounts } from '../catalog/catalog-run.js';
import { appsWithoutCredentials } from '../catalog/import-apps.js';
import { type ImportedCatalog, importCatalog } from '../catalog/import-catalog.js';
import { importPublicKeys } from '../catalog/import-public-keys.js';
import type { ImportSettings } from '../command/import-settings.js';
import type { Runtime } from '../command/runtime.js';
import type { ItemContext } from '../customers/build-customer.js';
import { CustomerReader } from '../customers/customer-reader.js';
import type { CustomerPage } from '../customers/page.js';
import { SourcePages } from '../customers/source-pages.js';
import type { GoogleTokens } from '../files/google-tokens.js';
import type { ImportReport } from '../report/report.model.js';
import type { SourceApi } from '../source/source-api.js';
import type { ImportState } from '../state/state.model.js';
import type { TargetApi } from '../target/target-api.js';
import type { ImportOrigin, PassContext, Preparation } from './origin.js';

const CATCH_UP_ROUNDS = 3;

export interface ApiOriginOptions {
  settings: ImportSettings;
  runtime: Runtime;
  source: SourceApi;
  project: string;
  target: TargetApi;
  tokens: GoogleTokens | null;
}

/** Reads from the vendor's REST API: catalog, keys, the customer list, and customers missing from the list. */
export class ApiOrigin implements ImportOrigin {
  readonly place: { url: string; project: string };
  private catalog: ImportedCatalog | null = null;

  constructor(private readonly options: ApiOriginOptions) {
    this.place = { url: options.settings.source?.url ?? '', project: options.project };
  }

  get requests(): number {
    return this.options.source.requests;
  }

  get rateLimitedMs(): number {
    return this.options.source.rateLimitedMs;
  }

  get pausedMs(): number {
    return this.options.source.customerBucket.pausedMs;
  }

  get expected(): number | null {
    const { limit, ids } = this.options.settings;
    return limit ?? ids?.length ?? null;
  }

  tokenCounts(): ImportReport['google_tokens'] {
    return this.options.tokens?.counts() ?? { rows: 0, used: 0, unmatched: 0 };
  }

  async prepare(pass: PassContext): Promise<Preparation> {
    const { settings, source, project, target } = this.options;
    const { ledger } = pass;
    const maps = ledger.state.catalog;
    const before = new Set((await target.apps()).map(({ id }) => id));
    const run: CatalogRun = {
      source,
      project,
      target,
      dryRun: settings.dryRun,
      maps,
      counts: noCatalogCounts(),
      toArchive: [],
      skip: ({ kind, id, reason }) => ledger.skip(kind, id, reason),
    };
    this.catalog = await importCatalog(run);
    const keys = settings.publicKeys
      ? await importPublicKeys(run, this.catalog.apps, (message) => pass.warn(message))
      : { set: 0, kept: 0, failed: 0 };
    const mapped = new Set(Object.values(maps.apps));
    const apps = (await target.apps()).filter(({ id }) => mapped.has(id));
    return {
      catalog: run.counts,
      public_keys: keys,
      credentials_missing: appsWithoutCredentials(apps, before),
    };
  }

  async *pages(pass: PassContext): AsyncGenerator<CustomerPage> {
    const { settings } = this.options;
    const { state } = pass.ledger;
    const pages = this.sourcePages(pass, state);
    if (settings.ids !== null) {
      yield* pages.ofIds(settings.ids);
      return;
    }
    if (state.phase === 'customers') {
      for await (const page of pages.ofList(state.next_page)) {
        const isLimited =
          settings.limit !== null && state.counts.read + page.customers.length >= settings.limit;
        const isLast = page.next === null && !isLimited;
        yield { ...page, phase: isLast ? 'catch_up' : 'customers' };
        if (isLimited) return;
      }
      state.phase = 'catch_up';
    }
    if (settings.limit === null) yield* this.caughtUp(pages, pass);
  }

  /** Reads ids that the source mentioned but the pass has not read, until a round finds no new one. */
  private async *caughtUp(pages: SourcePages, { files }: PassContext): AsyncGenerator<CustomerPage> {
    const candidates = async function* (): AsyncGenerator<string> {
      yield* files.mentioned.all();
      yield* pages.missedIds();
    };
    for (let round = 0; round < CATCH_UP_ROUNDS; round += 1) {
      let found = 0;
      for await (const page of pages.ofIds(candidates())) {
        found += page.customers.length;
        yield { ...page, phase: 'catch_up', isCatchUp: true };
      }
      if (found === 0) return;
    }
  }

  private sourcePages(pass: PassContext, state: ImportState): SourcePages {
    const { settings, runtime, source, project, target, tokens } = this.options;
    if (this.catalog === null) throw new Error('Customers refer to the catalog, which is imported first.');
    const { apps, products, offeringKeys } = this.catalog;
    const context: ItemContext = {
      apps: state.catalog.apps,
      products,
      appOfStore: (store) => {
        const [only, ...others] = apps.filter(({ type }) => type === store);
        return only && others.length === 0 ? state.catalog.apps[only.id] : undefined;
      },
      offeringKey: (id) => (id ? (offeringKeys.get(id) ?? id) : undefined),
      environment: settings.environment,
    };
    const reader = new CustomerReader({
      source,
      project,
      target,
      hasCurrencies: Object.keys(state.catalog.currencies).length > 0,
      products,
      tokens,
      isRepeat: state.pass > 1,
    });
    return new SourcePages({
      source,
      project,
      reader,
      context,
      read: pass.files.read,
      pageSize: settings.pageSize,
      concurrency: settings.concurrency,
      clock: runtime.clock,
      remaining: () => (settings.limit ?? Infinity) - state.counts.read,
      warn: (message) => pass.warn(message),
    });
  }
}
