import { Link } from '@tanstack/react-router';
import { SoldProduct } from '../names/product-name.js';
import { Money } from '../../ui/format/money.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Time } from '../../ui/format/time.js';
import { Countdown } from './countdown.js';
import { customerOfBody } from './delivery-body.js';
import { DeliveryStatusBadge } from './delivery-status.js';
import type { LoggedDelivery } from './delivery.js';

interface DeliveryFactsProps {
  projectId: string;
  delivery: LoggedDelivery;
  /** Request body, for a link to the customer. */
  body?: string;
}

/** The delivery's properties from the list, with links to its event and customer. */
export function DeliveryFacts({ projectId, delivery, body }: DeliveryFactsProps) {
  const customer = body === undefined ? delivery.app_user_id : customerOfBody(body);
  const { id, status, created_at: created, event_id: event, event_type: type, last_error: error } = delivery;
  return (
    <div className="flex flex-col gap-3">
      <KeyValues
        items={[
          [
            'Status',
            <span key="status" className="flex flex-wrap items-center gap-2">
              <DeliveryStatusBadge status={status} />
              <Countdown delivery={delivery} />
            </span>,
          ],
          ...(error !== null && status !== 'delivered'
            ? [['Last error', <DataText key="error">{error}</DataText>] as const]
            : []),
          [
            'Customer',
            delivery.app_user_id === null ? (
              '—'
            ) : (
              <DataText key="customer" mono>
                {delivery.app_user_id}
              </DataText>
            ),
          ],
          ...(delivery.product_id === null
            ? []
            : [
                [
                  'Product',
                  <span key="product" className="inline-flex max-w-full flex-wrap items-baseline gap-x-2">
                    <SoldProduct projectId={projectId} identifier={delivery.product_id} />
                    {delivery.price_in_purchased_currency ? (
                      <Money amount={delivery.price_in_purchased_currency} currency={delivery.currency} />
                    ) : null}
                  </span>,
                ] as const,
              ]),
          ['Created', <Time key="created" ms={created} show="full" />],
          ['Delivery', <CopyId key="id" id={id} />],
          ['Event id', <CopyId key="event" id={event} />],
        ]}
      />
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {type !== 'TEST' && (
          <Link to="/projects/$projectId/events" params={{ projectId }} search={{ event }}>
            Open the event
          </Link>
        )}
        {customer !== null && type !== 'TEST' && (
          <Link to="/projects/$projectId/customer" params={{ projectId }} search={{ id: customer }}>
            Open the customer
          </Link>
        )}
      </div>
    </div>
  );
}
