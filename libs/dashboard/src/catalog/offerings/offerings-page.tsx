import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { Badge } from '../../ui/badge.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Num } from '../../ui/format/money.js';
import { setCount } from '../../ui/lists/filter-bar.js';
import type { Offering } from '../catalog.types.js';
import { CatalogListPage, WholeList } from '../catalog-list-page.js';
import { actionsColumn, createdColumn } from '../columns.js';
import { CreateOfferingDialog } from './create-offering-dialog.js';
import { type OfferingAction, OfferingDialogs } from './offering-dialogs.js';
import { allOfferingsQuery } from './offerings.queries.js';
import { useOfferingItems } from './use-offering-items.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/offerings');

export default function OfferingsPage() {
  const { projectId } = route.useParams();
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const offerings = useQuery(allOfferingsQuery(projectId));
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<{ action: OfferingAction; offering: Offering } | null>(null);
  const itemsFor = useOfferingItems((action, offering) => setOpen({ action, offering }));
  const hrefOf = (id: string) => `/projects/${projectId}/catalog/offerings/${id}`;
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
    <CatalogListPage
      title="Offerings"
      note="What your app offers for sale: packages in order, each with a product per app."
      create={{ label: 'New offering', operation: 'createOffering', onOpen: () => setIsCreating(true) }}
      state={state}
      onStateChange={(next) => void navigate({ search: { state: next }, replace: true })}
      filterCount={setCount({ state })}
      dialogs={
        <>
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
        </>
      }
    >
      {(createButton) => (
        <WholeList
          query={offerings}
          queryKey={allOfferingsQuery(projectId).queryKey}
          state={state}
          things="offerings"
          empty={{
            sentence: 'An offering is a set of packages that your app shows, for example on its paywall.',
            action: createButton,
            docs: docsOf('Offerings'),
          }}
          onClearFilters={() => void navigate({ search: {} })}
        >
          {(rows) => (
            <DataList
              label="Offerings"
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              rowHref={({ id }) => hrefOf(id)}
            />
          )}
        </WholeList>
      )}
    </CatalogListPage>
  );
}
