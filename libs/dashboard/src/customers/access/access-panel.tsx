import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { AccessCard } from './access-card.js';
import { useCustomer } from '../customer-context.js';
import { explanationQuery } from '../customers.queries.js';
import { NeedsPermission } from '../needs-permission.js';

/** Explains why the customer has or lacks access. */
export function AccessPanel() {
  const { projectId, id, open } = useCustomer();
  const mayGrant = useMay('grantEntitlement');
  const mayRead = useMay('explainCustomerAccess');
  const options = explanationQuery(projectId, id);
  const query = useQuery({ ...options, enabled: mayRead.allowed });
  const grant = (
    <Button size="sm" icon="gift" disabledReason={mayGrant.reason} onClick={() => open({ kind: 'grant' })}>
      Grant
    </Button>
  );
  return (
    <Panel title="Access now" padded={false} actions={grant}>
      {!mayRead.allowed && <NeedsPermission reason={mayRead.reason} />}
      <QueryPanel query={query} queryKey={options.queryKey} stale>
        {({ entitlements, purchases }) =>
          entitlements.length === 0 ? (
            <EmptyState sentence="This customer has never had an entitlement." />
          ) : (
            <div className="-mt-px">
              {entitlements.map((entitlement) => (
                <AccessCard
                  key={entitlement.entitlement_id}
                  entitlement={entitlement}
                  purchases={purchases}
                />
              ))}
            </div>
          )
        }
      </QueryPanel>
    </Panel>
  );
}
