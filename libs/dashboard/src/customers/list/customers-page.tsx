import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { itemsOf } from '../../api/paging.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { useEnvironment } from '../../frame/environment.js';
import { CreateCustomerDialog } from './create-customer-dialog.js';
import { CustomerCount } from './customer-count.js';
import { CustomerFilterBar } from './customer-filter-bar.js';
import {
  apiFilters,
  type CustomersSearch,
  filterNames,
  type Filters,
  readCustomersSearch,
} from './customer-filters.js';
import { CustomerSearch } from './customer-search.js';
import { CustomerList } from './customer-list.js';
import { customersQuery } from '../customers.queries.js';
import { DownloadListButton } from './download-list-button.js';
import { ListExports, ListExportsButton } from './list-exports.js';
import { NoCustomerFound } from './no-customer-found.js';
import { SavedLists } from './saved-lists.js';
import { SortField } from './sort-field.js';

const route = getRouteApi('/signed-in/projects/$projectId/customers');

/** The project's customers, with a search and filters. */
export default function CustomersPage() {
  const { projectId } = route.useParams();
  const shown = readCustomersSearch(route.useSearch());
  const { q, sort, order, filters } = shown;
  const navigate = route.useNavigate();
  const mayCreate = useMay('createCustomer');
  const [isCreating, setIsCreating] = useState(false);
  const [isExportsOpen, setIsExportsOpen] = useState(false);
  const { environment } = useEnvironment();
  const asked = {
    ...apiFilters(filters, q),
    environment: environment === 'sandbox' ? environment : ('production' as const),
    sort,
    order,
  };
  const query = useInfiniteQuery(customersQuery(projectId, asked));
  const customers = itemsOf(query.data);
  const [only] = customers;
  const isFiltered = Object.keys(filters).length > 0;
  const isOne =
    q !== undefined && !isFiltered && customers.length === 1 && !query.hasNextPage && !query.isFetching;
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (!isOne || !only || opened.current === q) return;
    opened.current = q ?? null;
    // Replaces the search in the history, so that Back returns to the list.
    void navigate({
      to: '/projects/$projectId/customer',
      params: { projectId },
      search: { id: only.id },
      replace: true,
    });
  }, [isOne, only, q, navigate, projectId]);
  const find = (typed: string) => {
    opened.current = null;
    void navigate({ search: (before) => ({ ...before, q: typed === '' ? undefined : typed }) });
  };
  const change = (more: CustomersSearch) => void navigate({ search: (before) => ({ ...before, ...more }) });
  const setFilters = (next: Filters) =>
    change(Object.fromEntries(filterNames.map((name) => [name, next[name]])));
  const isNone = q !== undefined && !isFiltered && query.data !== undefined && customers.length === 0;
  const create = (
    <Button
      icon="plus"
      variant="primary"
      disabledReason={mayCreate.reason}
      onClick={() => setIsCreating(true)}
    >
      New customer
    </Button>
  );
  return (
    <Page
      title="Customers"
      actions={
        <>
          <DownloadListButton
            projectId={projectId}
            filters={asked}
            onPrepare={() => setIsExportsOpen(true)}
          />
          {create}
        </>
      }
    >
      <CustomerSearch
        key={q ?? ''}
        value={q ?? ''}
        busy={q !== undefined && query.isFetching}
        onSearch={find}
      />
      {isNone ? (
        <NoCustomerFound projectId={projectId} typed={q} onClear={() => find('')} />
      ) : (
        <>
          <div className="flex flex-wrap items-start justify-between gap-2">
            <CustomerFilterBar projectId={projectId} filters={filters} onChange={setFilters} />
            <div className="flex flex-wrap gap-2">
              <SavedLists projectId={projectId} shown={shown} onOpen={change} />
              <SortField sort={sort} order={order} onChange={change} />
            </div>
          </div>
          <div className="flex min-h-8 items-center justify-between gap-2">
            <CustomerCount projectId={projectId} filters={asked} />
            <ListExportsButton
              projectId={projectId}
              isOpen={isExportsOpen}
              onToggle={() => setIsExportsOpen(!isExportsOpen)}
            />
          </div>
          {isExportsOpen && <ListExports projectId={projectId} />}
          <Panel padded={false}>
            <CustomerList
              projectId={projectId}
              filters={asked}
              filtered={isFiltered || q !== undefined}
              onClearFilters={() => setFilters({})}
              query={query}
              create={create}
            />
          </Panel>
        </>
      )}
      {isCreating && <CreateCustomerDialog projectId={projectId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
