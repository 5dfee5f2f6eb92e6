import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState, NoMatch } from '../../ui/loading/empty-state.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { type CatalogObject, type Entitlement, isArchived } from '../catalog.types.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { ChangeDialog } from '../change-dialog.js';
import { CreateEntitlementDialog } from './create-entitlement-dialog.js';
import { allEntitlementsQuery } from './entitlements.queries.js';
import { Matrix } from './matrix.js';
import { StateFilter } from '../state-filter.js';
import { useObjectItems } from '../use-object-items.js';
import type { Action } from '../labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/entitlements');

export default function EntitlementsPage() {
  const { projectId } = route.useParams();
  const { state, view, find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const entitlements = useQuery(allEntitlementsQuery(projectId));
  const mayCreate = useMay('createEntitlement');
  const [isCreating, setIsCreating] = useState(false);
  const [change, setChange] = useState<{ action: Action; object: CatalogObject } | null>(null);
  const itemsFor = useObjectItems('entitlement', (action, object) => setChange({ action, object }));
  const create = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={mayCreate.reason}
      onClick={() => setIsCreating(true)}
    >
      New entitlement
    </Button>
  );
  const columns: Column<Entitlement>[] = [
    {
      id: 'name',
      header: 'Name',
      priority: 1,
      cell: (each) => <DataText truncate>{each.display_name}</DataText>,
    },
    {
      id: 'key',
      header: 'Lookup key',
      cell: (each) => (
        <DataText mono truncate>
          {each.lookup_key}
        </DataText>
      ),
    },
    {
      id: 'products',
      header: 'Unlocked by',
      cell: ({ products }) => (
        <DataText mono truncate>
          {products?.items.map((product) => product.store_identifier).join(', ') || 'None'}
        </DataText>
      ),
    },
    createdColumn('Created'),
    actionsColumn<Entitlement>(({ lookup_key: key }) => key, itemsFor),
  ];
  const wanted = (entitlement: Entitlement) => isArchived(entitlement) === (state === 'archived');
  return (
    <Page
      title="Entitlements"
      actions={create}
      note="What customers have access to. A product unlocks an entitlement; your app asks for the entitlement only."
    >
      <div>
        <Tabs
          label="Views"
          tabs={[
            { id: 'list', label: 'List' },
            { id: 'matrix', label: 'Matrix' },
          ]}
          value={view ?? 'list'}
          onChange={(id) => void navigate({ search: { state, view: id === 'matrix' ? id : undefined } })}
        >
          <div className="grid gap-3">
            <FilterBar isLabelled count={setCount({ state })}>
              <StateFilter
                state={state}
                onChange={(next) =>
                  void navigate({ search: (before) => ({ ...before, state: next }), replace: true })
                }
              />
            </FilterBar>
            <Panel padded={false}>
              <QueryPanel
                query={entitlements}
                queryKey={allEntitlementsQuery(projectId).queryKey}
                skeleton={<SkeletonRows />}
              >
                {(all) => {
                  const rows = all.filter(wanted);
                  if (all.length === 0) {
                    return (
                      <EmptyState
                        sentence="An entitlement is a level of access, such as “pro”, that one or more products unlock."
                        action={create}
                        docs={docsOf('Entitlements')}
                      />
                    );
                  }
                  if (rows.length === 0) {
                    return (
                      <NoMatch things="entitlements" onClear={() => void navigate({ search: { view } })} />
                    );
                  }
                  if (view === 'matrix') {
                    return (
                      <Matrix
                        projectId={projectId}
                        entitlements={rows}
                        find={find}
                        onFind={(typed) =>
                          void navigate({
                            search: (before) => ({ ...before, find: typed || undefined }),
                            replace: true,
                            resetScroll: false,
                          })
                        }
                      />
                    );
                  }
                  return (
                    <DataList
                      label="Entitlements"
                      rows={rows}
                      columns={columns}
                      rowKey={({ id }) => id}
                      rowHref={({ id }) => `/projects/${projectId}/catalog/entitlements/${id}`}
                    />
                  );
                }}
              </QueryPanel>
            </Panel>
          </div>
        </Tabs>
      </div>
      {isCreating && <CreateEntitlementDialog projectId={projectId} onClose={() => setIsCreating(false)} />}
      {change && (
        <ChangeDialog {...{ projectId, kind: 'entitlement' }} {...change} onClose={() => setChange(null)} />
      )}
    </Page>
  );
}
