import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { statusWords, storeName } from '../../api/words.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Money, Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { OwnershipHistory } from './ownership-history.js';
import type { Purchase } from './purchases.queries.js';
import { useProductName } from './use-product-name.js';

/** A one-time purchase. */
export function PurchaseCard({ purchase }: { purchase: Purchase }) {
  const { open } = useCustomer();
  const mayRefund = useMay('refundPurchase');
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const product = useProductName(purchase.id);
  const status = statusWords[purchase.status];
  return (
    <article
      aria-label={product}
      className="flex flex-col gap-3 border-t border-line px-4 py-4 first:border-t-0"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h3 className="font-semibold">
          <DataText mono>{product}</DataText>
        </h3>
        <Badge tone={status.tone}>{status.label}</Badge>
        {purchase.environment === 'sandbox' && (
          <Badge tone="warn" icon="flask">
            Sandbox
          </Badge>
        )}
        <span className="text-muted">{storeName(purchase.store)}</span>
        <span className="ms-auto flex gap-2">
          <Button
            size="sm"
            disabledReason={mayRefund.reason}
            onClick={() => open({ kind: 'refund-purchase', purchase })}
          >
            Refund
          </Button>
        </span>
      </div>
      <KeyValues
        items={[
          ['Bought', <Time key="bought" ms={purchase.purchased_at} show="full" />],
          [
            'Total spent',
            <Money
              key="spent"
              amount={purchase.revenue_in_usd.gross}
              currency={purchase.revenue_in_usd.currency}
            />,
          ],
          ['Quantity', <Num key="quantity" value={purchase.quantity} />],
          ['Unlocks', purchase.entitlements.items.map(({ lookup_key: key }) => key).join(', ') || '—'],
          ['Store transaction id', <CopyId key="id" id={purchase.store_purchase_identifier} />],
        ]}
      />
      <div>
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={isHistoryOpen}
          icon={isHistoryOpen ? 'chevron-down' : 'chevron-right'}
          onClick={() => setIsHistoryOpen(!isHistoryOpen)}
        >
          Ownership history
        </Button>
        {isHistoryOpen && <OwnershipHistory kind="purchase" purchaseId={purchase.id} />}
      </div>
    </article>
  );
}
