import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { itemsOf } from '../../api/paging.js';
import { Panel } from '../../ui/panel.js';
import { WithSidePanel } from '../../ui/overlays/side-panel.js';
import { DeliveriesList } from './deliveries-list.js';
import { DeliveryFilters } from './delivery-filters.js';
import { DeliveryPanel } from './delivery-panel.js';
import { deliveriesQuery } from '../webhooks.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/webhooks/$webhookId');

/** The deliveries of an endpoint, and the open one. */
export function DeliveriesTab({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const { status, type, period, event, replay, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { status, type, period, event, replay };
  const rows = itemsOf(useInfiniteQuery(deliveriesQuery(projectId, webhookId, filter)).data);
  return (
    <WithSidePanel
      panel={
        delivery !== undefined && (
          <DeliveryPanel
            key={delivery}
            projectId={projectId}
            webhookId={webhookId}
            deliveryId={delivery}
            listed={rows.find(({ id }) => id === delivery)}
            onClose={() => void navigate({ search: (before) => ({ ...before, delivery: undefined }) })}
          />
        )
      }
    >
      <Panel padded={false}>
        <DeliveryFilters
          filter={filter}
          onChange={(changes) =>
            void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
          }
        />
        <DeliveriesList
          projectId={projectId}
          webhookId={webhookId}
          filter={filter}
          openId={delivery}
          onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, delivery: id }) })}
          onClearFilters={() => void navigate({ search: {} })}
        />
      </Panel>
    </WithSidePanel>
  );
}
