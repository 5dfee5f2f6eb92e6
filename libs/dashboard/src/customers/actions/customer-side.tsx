import { useQuery } from '@tanstack/react-query';
import { DataText } from '../../ui/text/data-text.js';
import { Time } from '../../ui/format/time.js';
import { summaryQuery } from '../customers.queries.js';
import { text } from './actions.text.js';

const words = text.transfer;

interface CustomerSideProps {
  projectId: string;
  id: string;
  label: string;
}

/** One of the two customers of a transfer, with their purchases. */
export function CustomerSide({ projectId, id, label }: CustomerSideProps) {
  const { data, isFetched } = useQuery({ ...summaryQuery(projectId, id), enabled: id !== '' });
  const summary = data?.items[0];
  return (
    <section aria-label={label} className="min-w-0 rounded-md border border-line p-3">
      <h3 className="text-sm text-muted">{label}</h3>
      <p className="font-medium">
        <DataText>{id || null}</DataText>
      </p>
      {summary && (
        <>
          <p>{words.moves(summary.subscriptions.length, summary.purchases.length)}</p>
          {summary.active_entitlements.length === 0 && <p className="text-muted">{words.nothing}</p>}
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
      {!summary && isFetched && id !== '' && <p className="text-muted">{words.newCustomer}</p>}
    </section>
  );
}
