import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { itemsOf } from '../../api/paging.js';
import { useMay } from '../../api/permissions.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { setCount } from '../../ui/lists/filter-bar.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { type Currency, isArchived } from '../catalog.types.js';
import { CatalogListPage, useObjectChange } from '../catalog-list-page.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { currenciesQuery } from './currencies.queries.js';
import { CurrencyDialog } from './currency-dialog.js';

const grantedByText = (count: number) =>
  count === 1 ? '1 product' : `${count.toLocaleString('en')} products`;

const route = getRouteApi('/signed-in/projects/$projectId/catalog/currencies');

const productsIn = ({ product_grants: grants }: Currency) =>
  new Set(grants?.flatMap(({ product_ids: ids }) => ids)).size;

export default function CurrenciesPage() {
  const { projectId } = route.useParams();
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const currencies = useInfiniteQuery(currenciesQuery(projectId));
  const mayUpdate = useMay('updateVirtualCurrency');
  const [edited, setEdited] = useState<Currency | 'new' | null>(null);
  const { itemsFor, dialog } = useObjectChange(projectId, 'currency');
  const keep = useCallback((each: Currency) => isArchived(each) === (state === 'archived'), [state]);
  const columns: Column<Currency>[] = [
    {
      id: 'name',
      header: 'Name',
      priority: 1,
      cell: (each) => <DataText truncate>{each.name}</DataText>,
    },
    {
      id: 'code',
      header: 'Code',
      width: '8rem',
      cell: (each) => <DataText mono>{each.code}</DataText>,
    },
    {
      id: 'description',
      header: 'Description',
      priority: 3,
      cell: (each) => <DataText truncate>{each.description}</DataText>,
    },
    {
      id: 'grants',
      header: 'Granted by',
      width: '8rem',
      cell: (each) => grantedByText(productsIn(each)),
    },
    createdColumn('Created'),
    actionsColumn(
      ({ code: key }) => key,
      (each) => [
        {
          label: 'Edit',
          icon: 'edit',
          disabledReason: mayUpdate.reason,
          onSelect: () => setEdited(each),
        },
        ...itemsFor(each),
      ],
    ),
  ];
  return (
    <CatalogListPage
      title="Virtual currencies"
      note="Coins, credits and other balances of customers."
      create={{ label: 'New currency', operation: 'createVirtualCurrency', onOpen: () => setEdited('new') }}
      state={state}
      onStateChange={(next) => void navigate({ search: { state: next }, replace: true })}
      filterCount={setCount({ state })}
      dialogs={
        <>
          {edited && (
            <CurrencyDialog
              projectId={projectId}
              currency={edited === 'new' ? null : edited}
              onClose={() => setEdited(null)}
            />
          )}
          {dialog}
        </>
      }
    >
      {(createButton) => (
        <QueryList
          label="Virtual currencies"
          things="currencies"
          query={currencies}
          queryKey={currenciesQuery(projectId).queryKey}
          keep={keep}
          columns={columns}
          rowKey={({ code }) => code}
          filtered={state !== undefined || itemsOf(currencies.data).length > 0}
          onClearFilters={() => void navigate({ search: {}, replace: true })}
          empty={{
            sentence: 'A virtual currency is credited by purchases and spent in your app.',
            action: createButton,
            docs: docsOf('Virtual currencies'),
          }}
        />
      )}
    </CatalogListPage>
  );
}
