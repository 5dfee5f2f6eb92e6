import { storeName } from '../../api/words.js';
import type { Schema } from '../../api/types.js';
import { Badge } from '../../ui/badge.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDate } from '../../ui/format/format-time.js';
import { causeSentence, importSentence } from './cause-sentence.js';
import { OwnershipChange } from '../purchases/ownership-change.js';
import { useProductNames } from '../purchases/use-bought.js';
import { productOfSource } from './product-of-source.js';

const kindLabels = { subscription: 'Subscription', grant: 'Grant', purchase: 'Purchase' };

interface AccessSourceProps {
  source: Schema<'AccessSourceDto'>;
  changes: readonly Schema<'OwnershipChangeDto'>[];
  /** False if the entitlement's own sentence already contains the cause. */
  withCause: boolean;
}

/** A subscription, grant or purchase that gives or gave access to an entitlement. */
export function AccessSource({ source, changes, withCause }: AccessSourceProps) {
  const format = useFormat();
  const nameOf = useProductNames();
  const { kind, store, environment, store_product_identifier: product, gives_access: gives } = source;
  const sentence = causeSentence(
    {
      cause: source.cause,
      active: gives,
      until: source.until,
      product: productOfSource(source, nameOf),
      expirationReason: source.expiration_reason,
    },
    (ms) => formatDate(format, ms),
  );
  const origin = importSentence(source, (ms) => formatDate(format, ms));
  const last = [...changes].sort((a, b) => b.occurred_at - a.occurred_at)[0];
  return (
    <li className="border-s-2 border-line ps-3">
      <div className="flex flex-wrap items-center gap-x-2 text-sm">
        <span>
          {kindLabels[kind]}
          {kind !== 'grant' && (
            <>
              {' '}
              <DataText>{nameOf(product)}</DataText>, {storeName(store)}
            </>
          )}
        </span>
        {environment === 'sandbox' && (
          <Badge tone="warn" icon="flask">
            Sandbox
          </Badge>
        )}
        <span className="text-muted">{gives ? 'gives access' : 'gives no access'}</span>
      </div>
      {withCause && (
        <p className="text-sm text-muted">
          <DataText>{sentence}</DataText>
        </p>
      )}
      {origin && <p className="text-sm text-muted">{origin}</p>}
      <CopyId id={source.id} />
      {last && <OwnershipChange change={last} />}
    </li>
  );
}
