import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { statusWords } from '../../api/words.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { OwnershipHistory } from './ownership-history.js';
import type { Purchase } from './purchases.queries.js';
import { SoldIn } from './sold-in.js';
import { TotalSpent } from '../spent.js';
import { useBought, useProductName } from './use-bought.js';

/** A one-time purchase. */
export function PurchaseCard({ purchase }: { purchase: Purchase }) {
  const { open } = useCustomer();
  const mayRefund = useMay('refundPurchase');
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const bought = useBought(purchase.id);
  const product = useProductName(purchase.id);
  const unlocks = purchase.entitlements.items.map(({ lookup_key: key }) => key).join(', ');
  const status = statusWords[purchase.status];
  return (
    <article
      aria-label={visibleText(product)}
      className="flex flex-col gap-3 border-t border-line px-4 py-4 first:border-t-0"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h3 className="font-semibold">
          <DataText>{product}</DataText>
        </h3>
        <Badge tone={status.tone}>{status.label}</Badge>
        {purchase.environment === 'sandbox' && (
          <Badge tone="warn" icon="flask">
            Sandbox
          </Badge>
        )}
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
      <SoldIn store={purchase.store} bought={bought} />
      <KeyValues
        items={[
          ['Bought', <Time key="bought" ms={purchase.purchased_at} show="full" />],
          ['Total spent', <TotalSpent key="spent" bought={bought} usd={purchase.revenue_in_usd.gross} />],
          ['Quantity', <Num key="quantity" value={purchase.quantity} />],
          ...(unlocks === '' ? [] : ([['Unlocks', <DataText key="unlocks">{unlocks}</DataText>]] as const)),
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
