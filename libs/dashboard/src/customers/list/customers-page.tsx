import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { itemsOf } from '../../api/paging.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { CreateCustomerDialog } from './create-customer-dialog.js';
import { CustomerSearch } from './customer-search.js';
import { CustomerList } from './customer-list.js';
import { customersQuery } from '../customers.queries.js';
import { ExportRowsButton } from './export-rows-button.js';
import { NoCustomerFound } from './no-customer-found.js';

const route = getRouteApi('/signed-in/projects/$projectId/customers');

/** The project's customers, and a search. */
export default function CustomersPage() {
  const { projectId } = route.useParams();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useMay('createCustomer');
  const [isCreating, setIsCreating] = useState(false);
  const query = useInfiniteQuery(customersQuery(projectId, q));
  const customers = itemsOf(query.data);
  const [only] = customers;
  const isOne = q !== undefined && customers.length === 1 && !query.hasNextPage && !query.isFetching;
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
  const isNone = q !== undefined && query.data !== undefined && customers.length === 0;
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
          <ExportRowsButton customers={customers} />
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
          {q !== undefined && customers.length > 1 && (
            <p role="status">{`${customers.length} customers match. The search is exact, so all of them used this value.`}</p>
          )}
          <Panel padded={false}>
            <CustomerList projectId={projectId} search={q} query={query} create={create} />
          </Panel>
        </>
      )}
      {isCreating && <CreateCustomerDialog projectId={projectId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
