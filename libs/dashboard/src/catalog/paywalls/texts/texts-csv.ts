import { csv } from '../../../ui/format/csv.js';
import type { PaywallDocument } from '../paywall.types.js';
import { localesOf, textOf, textRowsOf } from './text-rows.js';

/** Returns all texts as CSV: `id`, `component`, and a column for each language. */
export function textsCsv(document: PaywallDocument): string {
  const locales = localesOf(document);
  return csv(
    ['id', 'component', ...locales],
    textRowsOf(document).map(({ id, component }) => [
      id,
      component,
      ...locales.map((locale) => textOf(document, locale, id)),
    ]),
  );
}
