import type { SourceApp, SourceWebhook } from '../source/source.model.js';
import { type CatalogRun, changeHere } from './catalog-run.js';
import { importApps } from './import-apps.js';
import { importCurrencies } from './import-currencies.js';
import { importEntitlements } from './import-entitlements.js';
import { importOfferings } from './import-offerings.js';
import { importProducts, type SourceProducts } from './import-products.js';

export interface ImportedCatalog {
  apps: SourceApp[];
  products: SourceProducts;
  /** Maps source offering ids to lookup keys. */
  offeringKeys: Map<string, string>;
}

/** Creates or matches a project's catalog, in the order of its references. Detaches and replaces nothing. */
export async function importCatalog(run: CatalogRun): Promise<ImportedCatalog> {
  const apps = await importApps(run);
  const products = await importProducts(run, apps);
  await importEntitlements(run);
  const offeringKeys = await importOfferings(run);
  await importCurrencies(run);
  for (const { kind, id } of run.toArchive.reverse()) {
    const path = `${kind}/${encodeURIComponent(id)}/actions/archive`;
    await changeHere(run, kind as 'products', id, path, {});
  }
  for (const webhook of await run.source.webhooks(run.project)) run.skip(webhookToSetUp(webhook));
  return { apps, products, offeringKeys };
}

function webhookToSetUp({ id, url, environment, event_types: types, app_id: app }: SourceWebhook) {
  const filters = [environment, types?.length ? types.join(', ') : null, app].filter(Boolean).join('; ');
  return { kind: 'webhook', id, reason: `set it up here: ${url}${filters ? ` (${filters})` : ''}` };
}
