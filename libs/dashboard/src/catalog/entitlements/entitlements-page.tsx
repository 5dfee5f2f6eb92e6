import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { setCount } from '../../ui/lists/filter-bar.js';
import { Tabs } from '../../ui/tabs.js';
import type { Entitlement } from '../catalog.types.js';
import { CatalogListPage, useObjectChange, WholeList } from '../catalog-list-page.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { CreateEntitlementDialog } from './create-entitlement-dialog.js';
import { allEntitlementsQuery } from '../../api/entitlements.queries.js';
import { Matrix } from './matrix.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/entitlements');

export default function EntitlementsPage() {
  const { projectId } = route.useParams();
  const { state, view, find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const entitlements = useQuery(allEntitlementsQuery(projectId));
  const [isCreating, setIsCreating] = useState(false);
  const { itemsFor, dialog } = useObjectChange(projectId, 'entitlement');
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
        <DataText truncate>
          {products?.items.map((each) => each.display_name ?? each.store_identifier).join(', ') || 'None'}
        </DataText>
      ),
    },
    createdColumn('Created'),
    actionsColumn<Entitlement>(({ lookup_key: key }) => key, itemsFor),
  ];
  return (
    <CatalogListPage
      title="Entitlements"
      note="What customers have access to. Products unlock entitlements; your app only checks entitlements."
      create={{ label: 'New entitlement', operation: 'createEntitlement', onOpen: () => setIsCreating(true) }}
      state={state}
      onStateChange={(next) =>
        void navigate({ search: (before) => ({ ...before, state: next }), replace: true })
      }
      filterCount={setCount({ state })}
      enclose={(content) => (
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
            <div className="grid gap-3">{content}</div>
          </Tabs>
        </div>
      )}
      dialogs={
        <>
          {isCreating && (
            <CreateEntitlementDialog projectId={projectId} onClose={() => setIsCreating(false)} />
          )}
          {dialog}
        </>
      }
    >
      {(createButton) => (
        <WholeList
          query={entitlements}
          queryKey={allEntitlementsQuery(projectId).queryKey}
          state={state}
          things="entitlements"
          empty={{
            sentence: 'An entitlement is a level of access, such as “pro”, that one or more products unlock.',
            action: createButton,
            docs: docsOf('Entitlements'),
          }}
          onClearFilters={() => void navigate({ search: { view } })}
        >
          {(rows) =>
            view === 'matrix' ? (
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
            ) : (
              <DataList
                label="Entitlements"
                rows={rows}
                columns={columns}
                rowKey={({ id }) => id}
                rowHref={({ id }) => `/projects/${projectId}/catalog/entitlements/${id}`}
              />
            )
          }
        </WholeList>
      )}
    </CatalogListPage>
  );
}
