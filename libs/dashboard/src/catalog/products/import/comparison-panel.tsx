import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../api/types.js';
import { AppLink } from '../../../ui/app-link.js';
import { useFormat } from '../../../ui/format/format-context.js';
import { formatPeriod } from '../../../ui/format/period.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Panel } from '../../../ui/panel.js';
import { DataText } from '../../../ui/text/data-text.js';
import { productTypes } from '../product-words.js';
import { comparisonSentence } from './comparison-text.js';
import { storeComparisonQuery } from './store-products.queries.js';

type Difference = Schema<'StoreProductComparisonDto'>['different'][number];

const labels: Record<Difference['field'], string> = { duration: 'Period', type: 'Type', state: 'State' };
const states: Record<string, string> = { active: 'active', inactive: 'not on sale' };

/** Differences between the products here and in the store: a sentence, with details below. */
export function ComparisonPanel({ projectId, appId }: { projectId: string; appId: string }) {
  const query = storeComparisonQuery(projectId, appId);
  const comparison = useQuery(query);
  const { locale } = useFormat();
  const href = (productId: string): string => `/projects/${projectId}/catalog/products/${productId}`;
  const valueOf = (field: Difference['field'], value: string | null): string => {
    if (value === null) return 'none';
    if (field === 'duration') return formatPeriod(locale, value);
    return field === 'type'
      ? (productTypes[value as keyof typeof productTypes] ?? value)
      : (states[value] ?? value);
  };
  return (
    <Panel title="Comparison with the store">
      <QueryPanel query={comparison} queryKey={query.queryKey}>
        {(data) => (
          <div className="grid gap-2">
            <p role="status">{comparisonSentence(data)}</p>
            {data.missing_in_store.length + data.different.length > 0 && (
              <details>
                <summary className="cursor-pointer text-muted">Details</summary>
                <ul className="mt-2 grid max-h-80 gap-1.5 overflow-y-auto">
                  {data.missing_in_store.map(({ product_id: id, store_identifier: name }) => (
                    <li key={id}>
                      <AppLink href={href(id)} className="underline">
                        <DataText mono>{name}</DataText>
                      </AppLink>{' '}
                      is active here, but not in the store.
                    </li>
                  ))}
                  {data.different.map(
                    ({ product_id: id, store_identifier: name, field, here, in_store: inStore }) => (
                      <li key={`${id} ${field}`}>
                        <AppLink href={href(id)} className="underline">
                          <DataText mono>{name}</DataText>
                        </AppLink>{' '}
                        {labels[field]}: {valueOf(field, here)} here, {valueOf(field, inStore)} in the store.
                      </li>
                    ),
                  )}
                </ul>
              </details>
            )}
          </div>
        )}
      </QueryPanel>
    </Panel>
  );
}
