import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { itemsOf } from '../../api/paging.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { type CatalogObject, type Currency, isArchived } from '../catalog.types.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { ChangeDialog } from '../change-dialog.js';
import { currenciesQuery } from './currencies.queries.js';
import { CurrencyDialog } from './currency-dialog.js';
import { StateFilter } from '../state-filter.js';
import { useObjectItems } from '../use-object-items.js';
import type { Action } from '../labels.js';

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
  const mayCreate = useMay('createVirtualCurrency');
  const mayUpdate = useMay('updateVirtualCurrency');
  const [edited, setEdited] = useState<Currency | 'new' | null>(null);
  const [change, setChange] = useState<{ action: Action; object: CatalogObject } | null>(null);
  const itemsFor = useObjectItems('currency', (action, object) => setChange({ action, object }));
  const keep = useCallback((each: Currency) => isArchived(each) === (state === 'archived'), [state]);
  const create = (
    <Button variant="primary" icon="plus" disabledReason={mayCreate.reason} onClick={() => setEdited('new')}>
      New currency
    </Button>
  );
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
    <Page
      title="Virtual currencies"
      actions={create}
      note="Coins, credits and the like that customers hold a balance of."
    >
      <FilterBar isLabelled count={setCount({ state })}>
        <StateFilter
          state={state}
          onChange={(next) => void navigate({ search: { state: next }, replace: true })}
        />
      </FilterBar>
      <Panel padded={false}>
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
            action: create,
            docs: docsOf('Virtual currencies'),
          }}
        />
      </Panel>
      {edited && (
        <CurrencyDialog
          projectId={projectId}
          currency={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {change && (
        <ChangeDialog {...{ projectId, kind: 'currency' }} {...change} onClose={() => setChange(null)} />
      )}
    </Page>
  );
}
