import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { renewalWords, statusWords } from '../../api/words.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { ExternalLink } from '../../ui/text/external-link.js';
import { KeyValues } from '../../ui/key-values.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { OwnershipHistory } from './ownership-history.js';
import type { Subscription } from './purchases.queries.js';
import { seatsOf } from './seats.js';
import { SubscriptionPayments } from './subscription-payments.js';
import { SoldIn } from './sold-in.js';
import { TotalSpent } from '../spent.js';
import { useBought, useProductName } from './use-bought.js';

const subscriptionLabels = { refund: 'Refund', cancel: 'Cancel', extend: 'Extend' };

/** The renewal state, with the date of a renewal that is due. */
function Renewal({ subscription }: { subscription: Subscription }) {
  const renewal = subscription.auto_renewal_status;
  const isDue = renewal === 'will_renew' && subscription.gives_access && subscription.ends_at !== null;
  return isDue ? (
    <>
      Renews on <Time ms={subscription.ends_at} show="date" />
    </>
  ) : (
    renewalWords[renewal]
  );
}

/** A subscription with its payments and ownership changes. */
export function SubscriptionCard({ subscription }: { subscription: Subscription }) {
  const { open } = useCustomer();
  const mayChange = useMay('refundSubscription');
  const [opened, setOpened] = useState<'payments' | 'history' | null>(null);
  const bought = useBought(subscription.id);
  const product = useProductName(subscription.id);
  const status = statusWords[subscription.status];
  const isGrant = subscription.store === 'promotional';
  const unlocks = subscription.entitlements.items.map(({ lookup_key: key }) => key).join(', ');
  const seats = seatsOf(subscription);
  const facts = [
    ['Started', <Time key="first" ms={subscription.starts_at} show="full" />],
    ['Access ends', <Time key="ends" ms={subscription.ends_at} show="full" />],
    ...(unlocks === '' ? [] : ([['Unlocks', <DataText key="unlocks">{unlocks}</DataText>]] as const)),
    ...(isGrant
      ? []
      : ([
          ['Renewal', <Renewal key="renewal" subscription={subscription} />],
          ...(seats ? [seats] : []),
          [
            'Total spent',
            <TotalSpent key="spent" bought={bought} usd={subscription.total_revenue_in_usd.gross} />,
          ],
          ...(subscription.country === null ? [] : ([['Country', subscription.country]] as const)),
          ['Store transaction id', <CopyId key="id" id={subscription.store_subscription_identifier} />],
        ] as const)),
  ] as const;
  const toggle = (what: 'payments' | 'history') => setOpened(opened === what ? null : what);
  return (
    <article
      aria-label={isGrant ? 'Grant' : visibleText(product)}
      className="flex flex-col gap-3 border-t border-line px-4 py-4 first:border-t-0"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h3 className="font-semibold">{isGrant ? 'Grant' : <DataText>{product}</DataText>}</h3>
        <Badge tone={status.tone}>{status.label}</Badge>
        {subscription.pending_payment && <Badge tone="warn">Payment pending</Badge>}
        {subscription.ownership === 'family_shared' && !seats && <Badge>Family Sharing</Badge>}
        {subscription.environment === 'sandbox' && (
          <Badge tone="warn" icon="flask">
            Sandbox
          </Badge>
        )}
        {!isGrant && (
          <span className="ms-auto flex flex-wrap gap-2">
            {(['refund', 'cancel', 'extend'] as const).map((kind) => (
              <Button
                key={kind}
                size="sm"
                disabledReason={mayChange.reason}
                onClick={() => open({ kind, subscription })}
              >
                {subscriptionLabels[kind]}
              </Button>
            ))}
          </span>
        )}
      </div>
      {!isGrant && <SoldIn store={subscription.store} bought={bought} />}
      {subscription.bundle && (
        <p className="text-muted">
          Part of the bundle <DataText mono>{subscription.bundle.product_identifier}</DataText>
        </p>
      )}
      <KeyValues items={facts} />
      {subscription.management_url && (
        <ExternalLink href={subscription.management_url}>Manage at the store</ExternalLink>
      )}
      <div className="flex flex-wrap gap-2">
        {!isGrant && (
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={opened === 'payments'}
            icon={opened === 'payments' ? 'chevron-down' : 'chevron-right'}
            onClick={() => toggle('payments')}
          >
            Payments
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={opened === 'history'}
          icon={opened === 'history' ? 'chevron-down' : 'chevron-right'}
          onClick={() => toggle('history')}
        >
          Ownership history
        </Button>
      </div>
      {opened === 'payments' && <SubscriptionPayments subscription={subscription} />}
      {opened === 'history' && <OwnershipHistory kind="subscription" purchaseId={subscription.id} />}
    </article>
  );
}
