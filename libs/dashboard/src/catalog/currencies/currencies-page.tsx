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
import type { Action } from '../catalog.text.js';
import { type CatalogObject, type Currency, isArchived } from '../catalog.types.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { ChangeDialog } from '../change-dialog.js';
import { currenciesQuery } from './currencies.queries.js';
import { text } from './currencies.text.js';
import { CurrencyDialog } from './currency-dialog.js';
import { StateFilter } from '../state-filter.js';
import { useObjectItems } from '../use-object-items.js';

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
      {text.create}
    </Button>
  );
  const columns: Column<Currency>[] = [
    {
      id: 'name',
      header: text.columns.name,
      priority: 1,
      cell: (each) => <DataText truncate>{each.name}</DataText>,
    },
    {
      id: 'code',
      header: text.columns.code,
      width: '8rem',
      cell: (each) => <DataText mono>{each.code}</DataText>,
    },
    {
      id: 'description',
      header: text.columns.description,
      priority: 3,
      cell: (each) => <DataText truncate>{each.description}</DataText>,
    },
    {
      id: 'grants',
      header: text.columns.grants,
      width: '8rem',
      cell: (each) => text.grantedBy(productsIn(each)),
    },
    createdColumn(text.columns.created),
    actionsColumn(
      ({ code: key }) => key,
      (each) => [
        {
          label: text.edit,
          icon: 'edit',
          disabledReason: mayUpdate.reason,
          onSelect: () => setEdited(each),
        },
        ...itemsFor(each),
      ],
    ),
  ];
  return (
    <Page title={text.title} actions={create} note={text.intro}>
      <FilterBar isLabelled count={setCount({ state })}>
        <StateFilter
          state={state}
          onChange={(next) => void navigate({ search: { state: next }, replace: true })}
        />
      </FilterBar>
      <Panel padded={false}>
        <QueryList
          label={text.title}
          things={text.things}
          query={currencies}
          queryKey={currenciesQuery(projectId).queryKey}
          keep={keep}
          columns={columns}
          rowKey={({ code }) => code}
          filtered={state !== undefined || itemsOf(currencies.data).length > 0}
          onClearFilters={() => void navigate({ search: {}, replace: true })}
          empty={{ sentence: text.empty, action: create, docs: docsOf('Virtual currencies') }}
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
