import { type ReactNode, useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import type { Schema } from '../../../api/types.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { ErrorPanel } from '../../../ui/loading/error-panel.js';
import { isHere, type StoreProduct } from './store-product-columns.js';
import { MAX_IMPORTED, useImportStoreProducts } from './store-products.queries.js';

type OneTimeType = NonNullable<Schema<'ImportStoreProductsDto'>['one_time_type']>;

const oneTimeTypes: { value: OneTimeType; label: string }[] = [
  { value: 'one_time', label: 'One-time' },
  { value: 'consumable', label: 'Consumable' },
  { value: 'non_consumable', label: 'Non-consumable' },
];

function importLabel(count: number): string {
  if (count === 0) return 'Import';
  return count === 1 ? 'Import 1 product' : `Import ${count.toLocaleString()} products`;
}

interface ImportBarProps {
  projectId: string;
  appId: string;
  selected: StoreProduct[];
  onDone: () => void;
  onSelectAll: () => void;
  /** Fields before the buttons. */
  children: ReactNode;
}

/** Imports the selected products, as one call for each 500. */
export function ImportBar({ projectId, appId, selected, onDone, onSelectAll, children }: ImportBarProps) {
  const may = useMay('importStoreProducts');
  const write = useImportStoreProducts(projectId, appId);
  const [oneTimeType, setOneTimeType] = useState<OneTimeType>('one_time');
  const [imported, setImported] = useState<number | null>(null);
  const missing = selected.filter((product) => !isHere(product));
  const names = missing.map(({ store_identifier: name }) => name);
  const start = async () => {
    let created = 0;
    for (let from = 0; from < names.length; from += MAX_IMPORTED) {
      const body = { store_identifiers: names.slice(from, from + MAX_IMPORTED), one_time_type: oneTimeType };
      created += (await write.mutateAsync(body)).created.length;
    }
    setImported(created);
    onDone();
  };
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-end gap-2 border-b border-line px-4 py-2">
        {children}
        <Button
          variant="primary"
          busy={write.isPending}
          disabledReason={
            may.reason ?? (names.length === 0 ? 'Select products that are not here yet.' : undefined)
          }
          onClick={() => void start().catch(() => undefined)}
        >
          {importLabel(names.length)}
        </Button>
        <Button onClick={onSelectAll}>Select all that are not here</Button>
        {missing.some(({ type }) => type === 'one_time') && (
          <SelectField
            label="Import one-time products as"
            size="sm"
            className="w-52"
            value={oneTimeType}
            onChange={({ target }) => setOneTimeType(target.value as OneTimeType)}
            options={oneTimeTypes}
          />
        )}
        <span role="status" className="self-center text-muted empty:hidden">
          {imported !== null &&
            (imported === 1 ? '1 product imported.' : `${imported.toLocaleString()} products imported.`)}
        </span>
      </div>
      {write.error && <ErrorPanel error={write.error} />}
    </>
  );
}
