import type { TargetCurrency } from '../target/target.model.js';
import { type CatalogRun, createHere, isArchived } from './catalog-run.js';

/** Omits product grants: they would credit customers again on their first renewals here. */
export async function importCurrencies(run: CatalogRun): Promise<void> {
  const currencies = await run.source.currencies(run.project);
  const codes = async () =>
    new Set((await run.target.configured<TargetCurrency>('virtual_currencies')).map(({ code }) => code));
  const existing = currencies.length > 0 ? await codes() : new Set<string>();
  for (const currency of currencies) {
    const { code, name, description } = currency;
    const isMatch = existing.has(code);
    if (isMatch) run.counts.virtual_currencies.matched += 1;
    const body = { code, name, ...(description ? { description } : {}) };
    const object = { id: code, path: 'virtual_currencies', body, isArchived: isArchived(currency) };
    const here = isMatch
      ? code
      : await createHere(run, 'virtual_currencies', object, async () =>
          (await codes()).has(code) ? code : null,
        );
    if (here === null) delete run.maps.currencies[code];
    else run.maps.currencies[code] = code;
  }
}
