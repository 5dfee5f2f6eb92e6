import type { Schema } from '../../api/types.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { Time } from '../../ui/format/time.js';
import { CustomerLink } from '../customer-link.js';
import { text } from '../customers.text.js';

const words = text.ownership;

/** Text such as "Moved from abc to def on 2 Nov 2026 by restore (rule: transfer)". */
export function OwnershipChange({
  change,
  withRequest,
}: {
  change: Schema<'OwnershipChangeDto'>;
  withRequest?: boolean;
}) {
  const by = change.is_restore === null ? '' : change.is_restore ? words.byRestore : words.byPurchase;
  return (
    <div className="text-sm">
      {words.moved} <CustomerLink id={change.from_customer_id} /> {words.to}{' '}
      <CustomerLink id={change.to_customer_id} /> {words.on} <Time ms={change.occurred_at} show="full" /> {by}{' '}
      ({words.rules[change.rule] ?? change.rule})
      {withRequest && (
        <div className="flex flex-wrap items-center gap-1 text-muted">
          {words.request} <CopyId id={change.request_id} />
        </div>
      )}
    </div>
  );
}
