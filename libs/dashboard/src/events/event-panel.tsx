import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { AppName } from '../frame/names/app-name.js';
import { SoldProduct } from '../frame/names/product-name.js';
import { EventDeliveries } from '../frame/event-deliveries/event-deliveries.js';
import { CopyId } from '../ui/text/copy-id.js';
import { DataText } from '../ui/text/data-text.js';
import { JsonView } from '../ui/text/json-view.js';
import { KeyValues } from '../ui/key-values.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SidePanel } from '../ui/overlays/side-panel.js';
import { Money } from '../ui/format/money.js';
import { Time } from '../ui/format/time.js';
import { visibleText } from '../ui/text/visible-text.js';
import { amountOf, productOf } from './event-facts.js';
import { eventQuery, type RecordedEvent } from './events.queries.js';
import { environmentLabels } from './labels.js';

interface EventPanelProps {
  projectId: string;
  eventId: string;
  onClose: () => void;
}

/** Panel next to the list: an event's description, JSON and deliveries. */
export function EventPanel({ projectId, eventId, onClose }: EventPanelProps) {
  const query = eventQuery(projectId, eventId);
  const event = useQuery(query);
  const mayDeliveries = useMay('listEventDeliveries').allowed;
  return (
    <SidePanel open onClose={onClose} title={visibleText(event.data?.type ?? eventId)}>
      <QueryPanel query={event} queryKey={query.queryKey}>
        {(data) => (
          <div className="flex flex-col gap-5">
            <Facts projectId={projectId} event={data} />
            {mayDeliveries && <EventDeliveries projectId={projectId} eventId={eventId} />}
            <section>
              <h3 className="mb-1 font-medium">JSON</h3>
              <JsonView label="JSON" value={data.body} />
            </section>
          </div>
        )}
      </QueryPanel>
    </SidePanel>
  );
}

function Facts({ projectId, event }: { projectId: string; event: RecordedEvent }) {
  const { id, customer_id: customer, app_user_id: appUserId, app_id: appId, environment, body } = event;
  const product = productOf(body);
  const paid = amountOf(body);
  return (
    <KeyValues
      items={[
        [
          'Customer',
          customer === null ? (
            <span className="text-muted">{appUserId === null ? '—' : 'Deleted'}</span>
          ) : (
            <Link to="/projects/$projectId/customer" params={{ projectId }} search={{ id: customer }}>
              <DataText mono>{appUserId ?? customer}</DataText>
            </Link>
          ),
        ],
        ...(product === null
          ? []
          : [
              [
                'Product',
                <SoldProduct key="product" projectId={projectId} identifier={product} appId={appId} />,
              ] as const,
            ]),
        ...(paid.amount === null ? [] : [['Amount', <Money key="amount" {...paid} />] as const]),
        ...(appId === null
          ? []
          : [['App', <AppName key="app" projectId={projectId} appId={appId} />] as const]),
        ['Environment', environment === null ? '—' : environmentLabels[environment]],
        ['Happened', <Time key="occurred" ms={event.occurred_at} show="full" />],
        ['Recorded', <Time key="recorded" ms={event.created_at} show="full" />],
        ['Event id', <CopyId key="id" id={id} />],
      ]}
    />
  );
}
