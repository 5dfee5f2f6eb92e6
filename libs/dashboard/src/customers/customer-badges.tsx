import { Link } from '@tanstack/react-router';
import { Badge } from '../ui/badge.js';
import { useCustomer } from './customer-context.js';
import type { Customer, Summary } from './customers.queries.js';

interface CustomerBadgesProps {
  customer: Customer | undefined;
  summary: Summary | undefined;
}

/** Badges next to the customer's name. */
export function CustomerBadges({ customer, summary }: CustomerBadgesProps) {
  const { projectId } = useCustomer();
  const bought = [...(summary?.subscriptions ?? []), ...(summary?.purchases ?? [])];
  const clock = customer?.test_clock_id;
  return (
    <>
      {summary?.blocked && (
        <Badge tone="bad" icon="ban">
          Blocked
        </Badge>
      )}
      {bought.some(({ environment }) => environment === 'sandbox') && (
        <Badge tone="warn" icon="flask">
          Sandbox
        </Badge>
      )}
      {clock && (
        <Link to="/projects/$projectId/test/clocks/$clockId" params={{ projectId, clockId: clock }}>
          <Badge tone="accent" icon="timer">
            Test clock
          </Badge>
        </Link>
      )}
    </>
  );
}
