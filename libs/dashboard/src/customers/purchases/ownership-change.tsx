import type { Schema } from '../../api/types.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { Time } from '../../ui/format/time.js';
import { CustomerLink } from '../customer-link.js';

const ownershipRules = {
  transfer: 'rule: transfer',
  transfer_if_no_active: 'rule: transfer if there are no active subscriptions',
  share: 'rule: share',
  anonymous_owner: 'the former owner was anonymous',
  sign_in: 'the two customers were merged at sign-in',
  alias: 'the two customers were merged by an alias',
  transfer_action: 'transferred by an administrator',
} as Record<string, string>;

/** Text such as "Moved from abc to def on 2 Nov 2026 by restore (rule: transfer)". */
export function OwnershipChange({
  change,
  withRequest,
}: {
  change: Schema<'OwnershipChangeDto'>;
  withRequest?: boolean;
}) {
  const by = change.is_restore === null ? '' : change.is_restore ? 'by restore' : 'by a receipt';
  return (
    <div className="text-sm">
      Moved from <CustomerLink id={change.from_customer_id} /> to <CustomerLink id={change.to_customer_id} />{' '}
      on <Time ms={change.occurred_at} show="full" /> {by} ({ownershipRules[change.rule] ?? change.rule})
      {withRequest && (
        <div className="flex flex-wrap items-center gap-1 text-muted">
          Request id <CopyId id={change.request_id} />
        </div>
      )}
    </div>
  );
}
