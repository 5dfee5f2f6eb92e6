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
import { text } from '../customers.text.js';
import { OwnershipHistory } from './ownership-history.js';
import type { Purchase } from './purchases.queries.js';
import { useProductName } from './use-product-name.js';

const words = text.subscriptions;

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
            {text.page.sandbox}
          </Badge>
        )}
        <span className="text-muted">{storeName(purchase.store)}</span>
        <span className="ms-auto flex gap-2">
          <Button
            size="sm"
            disabledReason={mayRefund.reason}
            onClick={() => open({ kind: 'refund-purchase', purchase })}
          >
            {text.purchases.refund}
          </Button>
        </span>
      </div>
      <KeyValues
        items={[
          [text.purchases.bought, <Time key="bought" ms={purchase.purchased_at} show="full" />],
          [
            words.spent,
            <Money
              key="spent"
              amount={purchase.revenue_in_usd.gross}
              currency={purchase.revenue_in_usd.currency}
            />,
          ],
          [text.purchases.quantity, <Num key="quantity" value={purchase.quantity} />],
          [
            words.entitlements,
            purchase.entitlements.items.map(({ lookup_key: key }) => key).join(', ') || '—',
          ],
          [words.storeId, <CopyId key="id" id={purchase.store_purchase_identifier} />],
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
          {words.history}
        </Button>
        {isHistoryOpen && <OwnershipHistory kind="purchase" purchaseId={purchase.id} />}
      </div>
    </article>
  );
}
