import { DataText } from '../../ui/text/data-text.js';
import { Time } from '../../ui/format/time.js';
import { useSummary } from '../use-summary.js';

interface CustomerSideProps {
  projectId: string;
  id: string;
  label: string;
}

/** One of the two customers of a transfer, with their purchases. */
export function CustomerSide({ projectId, id, label }: CustomerSideProps) {
  const { data, isFetched } = useSummary(projectId, id, id !== '');
  const summary = data?.items[0];
  return (
    <section aria-label={label} className="min-w-0 rounded-md border border-line p-3">
      <h3 className="text-sm text-muted">{label}</h3>
      <p className="font-medium">
        <DataText>{id || null}</DataText>
      </p>
      {summary && (
        <>
          <p>{`${summary.subscriptions.length} ${summary.subscriptions.length === 1 ? 'subscription' : 'subscriptions'}, ${summary.purchases.length} ${summary.purchases.length === 1 ? 'purchase' : 'purchases'}`}</p>
          {summary.active_entitlements.length === 0 && <p className="text-muted">Nothing is active</p>}
          <ul>
            {summary.active_entitlements.map((entitlement) => (
              <li key={entitlement.lookup_key}>
                <DataText>{entitlement.lookup_key}</DataText>{' '}
                {entitlement.expires_at !== null && (
                  <span className="text-muted">
                    <Time ms={entitlement.expires_at} show="full" />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {!summary && isFetched && id !== '' && <p className="text-muted">A new customer</p>}
    </section>
  );
}
