import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { itemsOf } from '../../api/paging.js';
import { DeliveryFilterBar } from '../../frame/deliveries/delivery-filter-bar.js';
import { WithSidePanel } from '../../ui/overlays/side-panel.js';
import { Panel } from '../../ui/panel.js';
import { deliveriesQuery, type DeliveryFilter } from './deliveries.queries.js';
import { DeliveriesList } from './deliveries-list.js';
import { DeliveryPanel } from './delivery-panel.js';
import { StatusChips } from './status-chips.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/$destinationId');

/** The deliveries of a destination, and the open one. */
export function DeliveriesTab({ projectId, destinationId }: { projectId: string; destinationId: string }) {
  const { status, type, period, event, replay, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: DeliveryFilter = { status, type, period, event, replay };
  const rows = itemsOf(useInfiniteQuery(deliveriesQuery(projectId, destinationId, filter)).data);
  const change = (changes: Partial<DeliveryFilter>) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  return (
    <WithSidePanel
      panel={
        delivery !== undefined && (
          <DeliveryPanel
            key={delivery}
            projectId={projectId}
            destinationId={destinationId}
            deliveryId={delivery}
            listed={rows.find(({ id }) => id === delivery)}
            onClose={() => void navigate({ search: (before) => ({ ...before, delivery: undefined }) })}
          />
        )
      }
    >
      <Panel padded={false}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
          <StatusChips value={status} onChange={(next) => change({ status: next })} />
          <DeliveryFilterBar filter={{ type, period, event, replay }} onChange={change} />
        </div>
        <DeliveriesList
          projectId={projectId}
          destinationId={destinationId}
          filter={filter}
          openId={delivery}
          onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, delivery: id }) })}
          onClearFilters={() => void navigate({ search: {} })}
        />
      </Panel>
    </WithSidePanel>
  );
}
