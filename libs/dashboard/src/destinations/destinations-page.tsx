import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { docsOf } from '../api/docs-link.js';
import { CappedCount, DeliveredShare } from '../frame/deliveries/state-counts.js';
import { IntegrationsPage } from '../frame/pages/integrations-page.js';
import { Button } from '../ui/button.js';
import { QueryList } from '../ui/lists/query-list.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { destinationsQuery, statesQuery, typesQuery } from './destinations.queries.js';
import { Gallery } from './gallery.js';
import { HealthBadge } from './health-badge.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations');

/** The destinations of the project and their state, and the tools that can be added. */
export default function DestinationsPage() {
  const { projectId } = route.useParams();
  const query = destinationsQuery(projectId);
  const list = useInfiniteQuery(query);
  const types = useQuery(typesQuery(projectId));
  const states = useQuery(statesQuery(projectId));
  const gallery = useRef<HTMLDivElement>(null);
  const stateOf = (id: string) => states.data?.find((state) => state.id === id);
  const isEmpty = list.data?.pages[0]?.items.length === 0;
  const add = (
    <Button
      variant="primary"
      icon="plus"
      onClick={() => {
        gallery.current?.scrollIntoView({ block: 'start' });
        gallery.current?.querySelector('input')?.focus({ preventScroll: true });
      }}
    >
      Add a destination
    </Button>
  );
  return (
    <IntegrationsPage tab="Destinations" actions={!isEmpty && add}>
      <Panel padded={false}>
        <QueryList
          label="Destinations"
          query={list}
          queryKey={query.queryKey}
          things="destinations"
          empty={{
            sentence: 'Send what happens to customers to the tools your team uses.',
            action: add,
            docs: docsOf('Destinations'),
          }}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/integrations/${id}`}
          columns={[
            {
              id: 'name',
              header: 'Name',
              cell: ({ name }) => <DataText truncate>{name}</DataText>,
              priority: 1,
            },
            {
              id: 'state',
              header: 'State',
              cell: (destination) => (
                <HealthBadge destination={destination} state={stateOf(destination.id)} />
              ),
              width: 'minmax(9rem, 1fr)',
              priority: 1,
            },
            {
              id: 'type',
              header: 'Type',
              cell: ({ type }) => types.data?.find(({ id }) => id === type)?.name ?? type,
              width: '8rem',
              priority: 2,
            },
            {
              id: 'share',
              header: 'Delivered in 24 h',
              label: 'Delivered in 24 h',
              cell: ({ id }) => <DeliveredShare state={stateOf(id)} />,
              align: 'end',
              width: '8rem',
              priority: 2,
            },
            {
              id: 'skipped',
              header: 'Skipped in 24 h',
              cell: ({ id }) => <CappedCount value={stateOf(id)?.skipped_24h} />,
              align: 'end',
              width: '8rem',
              priority: 3,
            },
            {
              id: 'waiting',
              header: 'Waiting',
              label: 'Waiting',
              cell: ({ id }) => <CappedCount value={stateOf(id)?.waiting} />,
              align: 'end',
              width: '6rem',
              priority: 2,
            },
          ]}
        />
      </Panel>
      <div ref={gallery} className="scroll-mt-[calc(var(--bar-height,0px)+1rem)]">
        <QueryPanel query={types} queryKey={typesQuery(projectId).queryKey}>
          {(known) => <Gallery projectId={projectId} types={known} />}
        </QueryPanel>
      </div>
    </IntegrationsPage>
  );
}
