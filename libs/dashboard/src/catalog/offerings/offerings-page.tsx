import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState, NoMatch } from '../../ui/loading/empty-state.js';
import { Num } from '../../ui/format/money.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { isArchived, type Offering } from '../catalog.types.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { CreateOfferingDialog } from './create-offering-dialog.js';
import { type OfferingAction, OfferingDialogs } from './offering-dialogs.js';
import { allOfferingsQuery } from './offerings.queries.js';
import { StateFilter } from '../state-filter.js';
import { useOfferingItems } from './use-offering-items.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/offerings');

export default function OfferingsPage() {
  const { projectId } = route.useParams();
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const offerings = useQuery(allOfferingsQuery(projectId));
  const mayCreate = useMay('createOffering');
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<{ action: OfferingAction; offering: Offering } | null>(null);
  const itemsFor = useOfferingItems((action, offering) => setOpen({ action, offering }));
  const hrefOf = (id: string) => `/projects/${projectId}/catalog/offerings/${id}`;
  const create = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={mayCreate.reason}
      onClick={() => setIsCreating(true)}
    >
      New offering
    </Button>
  );
  const columns: Column<Offering>[] = [
    {
      id: 'name',
      header: 'Name',
      priority: 1,
      cell: (each) => (
        <span className="flex min-w-0 items-center gap-2">
          <DataText truncate>{each.display_name}</DataText>
          {each.is_current && <Badge tone="good">Current</Badge>}
        </span>
      ),
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
      id: 'packages',
      header: 'Packages',
      width: '6rem',
      align: 'end',
      priority: 3,
      cell: ({ packages }) => <Num value={packages?.items.length ?? 0} />,
    },
    createdColumn('Created'),
    actionsColumn(({ lookup_key: key }) => key, itemsFor),
  ];
  return (
    <Page
      title="Offerings"
      actions={create}
      note="What your app offers for sale: packages in order, each with a product per app."
    >
      <FilterBar isLabelled count={setCount({ state })}>
        <StateFilter
          state={state}
          onChange={(next) => void navigate({ search: { state: next }, replace: true })}
        />
      </FilterBar>
      <Panel padded={false}>
        <QueryPanel
          query={offerings}
          queryKey={allOfferingsQuery(projectId).queryKey}
          skeleton={<SkeletonRows />}
        >
          {(all) => {
            const rows = all.filter((each) => isArchived(each) === (state === 'archived'));
            if (all.length === 0) {
              return (
                <EmptyState
                  sentence="An offering is a set of packages that your app shows, for example on its paywall."
                  action={create}
                  docs={docsOf('Offerings')}
                />
              );
            }
            if (rows.length === 0) {
              return <NoMatch things="offerings" onClear={() => void navigate({ search: {} })} />;
            }
            return (
              <DataList
                label="Offerings"
                rows={rows}
                columns={columns}
                rowKey={({ id }) => id}
                rowHref={({ id }) => hrefOf(id)}
              />
            );
          }}
        </QueryPanel>
      </Panel>
      {isCreating && (
        <CreateOfferingDialog
          projectId={projectId}
          onClose={() => setIsCreating(false)}
          onCreated={(offeringId) =>
            void navigate({
              to: '/projects/$projectId/catalog/offerings/$offeringId',
              params: { projectId, offeringId },
            })
          }
        />
      )}
      {open && <OfferingDialogs {...open} projectId={projectId} onClose={() => setOpen(null)} />}
    </Page>
  );
}
