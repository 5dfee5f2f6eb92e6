import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { useEnvironment } from '../frame/environment.js';
import { Page } from '../frame/pages/page.js';
import { usePreferences } from '../frame/preferences.js';
import { Attention } from './attention.js';
import { MetricTile } from './metric-tile.js';
import { MetricsAge } from './metrics-age.js';
import { MetricsCsvButton } from './metrics-csv-button.js';
import { metrics } from './metrics.js';
import { TransactionFeed } from './transaction-feed.js';

const route = getRouteApi('/signed-in/projects/$projectId/overview');

/** The state of the project: figures, the latest transactions, and warnings. */
export default function OverviewPage() {
  const { projectId } = route.useParams();
  const { filter } = useEnvironment();
  const { displayCurrency } = usePreferences().preferences;
  const mayFeed = useMay('listTransactions').allowed;
  const mayHealth = useMay('getSetupHealth').allowed;
  return (
    <Page
      title="Overview"
      inTurn
      actions={<MetricsCsvButton projectId={projectId} environment={filter ?? 'production'} />}
    >
      {mayHealth && <Attention projectId={projectId} />}
      <section aria-label="Metrics" className="flex flex-col gap-2">
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {metrics.map((metric) => (
            <MetricTile
              key={metric}
              projectId={projectId}
              metric={metric}
              environment={filter ?? 'production'}
            />
          ))}
        </div>
        <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-4">
          <p className="text-sm text-muted">
            Days are UTC; dashed: today, not complete. Amounts are in {displayCurrency}; other currencies are
            converted. Refunds are subtracted on the day of the original sale. The Revenue chart subtracts
            them on the day of the refund.{' '}
            {filter === undefined &&
              'The two environments are not added up. These figures are for production.'}
          </p>
          <MetricsAge projectId={projectId} environment={filter ?? 'production'} />
        </div>
      </section>
      {mayFeed && <TransactionFeed projectId={projectId} environment={filter} />}
    </Page>
  );
}
