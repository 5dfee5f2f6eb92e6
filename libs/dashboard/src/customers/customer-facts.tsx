import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyId } from '../ui/text/copy-id.js';
import { DataText } from '../ui/text/data-text.js';
import { Time } from '../ui/format/time.js';
import { useCustomer } from './customer-context.js';
import type { Customer, Summary } from './customers.queries.js';
import { Spent } from './spent.js';

const one = (count: number, single: string, many: string) => `${count} ${count === 1 ? single : many}`;

const countText = (count: number) => one(count, 'alias', 'aliases');

const route = getRouteApi('/signed-in/projects/$projectId/customer');

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="flex min-h-6 min-w-0 flex-wrap items-center gap-1">{children}</dd>
    </div>
  );
}

interface CustomerFactsProps {
  customer: Customer;
  summary: Summary | undefined;
  /** Why the summary is missing. */
  error: Error | null;
}

/** The customer's known properties, in one line. */
export function CustomerFacts({ customer, summary, error }: CustomerFactsProps) {
  const { id } = useCustomer();
  const navigate = route.useNavigate();
  const platform = [customer.last_seen_platform, customer.last_seen_platform_version].filter(Boolean);
  const offering = summary?.offering_override ?? summary?.current_offering;
  const country = summary?.country ?? customer.last_seen_country;
  return (
    <>
      <dl className="flex min-h-10 flex-wrap gap-x-8 gap-y-3">
        {customer.id !== id && (
          <Fact label="Original id">
            <CopyId id={customer.id} />
          </Fact>
        )}
        {summary && (
          <Fact label="Total spent">
            <Spent
              spent={summary.spent}
              original={{ amount: summary.total_revenue_in_usd, currency: 'USD' }}
            />
          </Fact>
        )}
        {summary && summary.sandbox_spent.amount !== 0 && (
          <Fact label="Total spent in sandbox">
            <Spent
              spent={summary.sandbox_spent}
              original={{ amount: summary.sandbox_revenue_in_usd, currency: 'USD' }}
            />
          </Fact>
        )}
        {country && (
          <Fact label="Country">
            <DataText>{country}</DataText>
            {summary?.country_source === 'purchase' && (
              <span className="text-xs text-muted">from a purchase</span>
            )}
          </Fact>
        )}
        {platform.length > 0 && (
          <Fact label="Platform">
            <DataText>{platform.join(' ')}</DataText>
          </Fact>
        )}
        {customer.last_seen_app_version && (
          <Fact label="App version">
            <DataText>{customer.last_seen_app_version}</DataText>
          </Fact>
        )}
        <Fact label="First seen">
          <Time ms={customer.first_seen_at} />
        </Fact>
        {customer.last_seen_at !== null && (
          <Fact label="Last seen">
            <Time ms={customer.last_seen_at} />
          </Fact>
        )}
        {summary && (
          <Fact label="Aliases">
            <button
              type="button"
              className="min-h-6 text-accent underline-offset-2 hover:underline"
              onClick={() =>
                void navigate({
                  search: (before) => ({ ...before, tab: 'aliases' }),
                  replace: true,
                  resetScroll: false,
                })
              }
            >
              {countText(summary.aliases.length)}
            </button>
          </Fact>
        )}
        {offering && (
          <Fact label="Offering">
            <DataText>{offering.lookup_key}</DataText>
            {summary?.offering_override && <span className="text-muted"> (assigned manually)</span>}
          </Fact>
        )}
        {customer.experiment && (
          <Fact label="Experiment">
            <DataText>{customer.experiment.name}</DataText>
            <span className="text-muted">variant {customer.experiment.variant}</span>
          </Fact>
        )}
      </dl>
      {error && <p className="mt-2 text-sm text-bad">Aliases, revenue and offering could not be loaded.</p>}
    </>
  );
}
