import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { massExtensionQuery } from './mass-extension.queries.js';
import { environmentLabels, reasonLabels, someCountriesText } from './labels.js';

interface MassExtensionProgressProps {
  projectId: string;
  appId: string;
  requestId: string;
}

const count = (value: number | null) => (value === null ? '—' : <Num value={value} />);

/** Apple's progress with an extension. */
export function MassExtensionProgress({ projectId, appId, requestId }: MassExtensionProgressProps) {
  const query = massExtensionQuery(projectId, appId, requestId);
  const extension = useQuery(query);
  return (
    <Panel title="Progress">
      <QueryPanel query={extension} queryKey={query.queryKey} stale>
        {(found) => (
          <div className="grid gap-3">
            <p role="status">
              {found.complete ? (
                <Badge tone="good">Complete</Badge>
              ) : (
                <Badge tone="accent" icon="clock">
                  Apple is working on it
                </Badge>
              )}
            </p>
            <KeyValues
              items={[
                ['Product', <DataText mono>{found.product_id}</DataText>],
                ['Days', <Num value={found.extend_by_days} />],
                ['Reason', reasonLabels[found.extend_reason_code]],
                ['Environment', environmentLabels[found.environment]],
                [
                  'Storefronts',
                  found.storefront_country_codes.length === 0
                    ? 'all storefronts'
                    : someCountriesText(found.storefront_country_codes),
                ],
                ['Requested', <Time ms={found.requested_at} show="full" />],
                ['Completed', <Time ms={found.completed_at} show="full" />],
                ['Extended', count(found.succeeded_count)],
                ['Refused by Apple', count(found.failed_count)],
              ]}
            />
          </div>
        )}
      </QueryPanel>
    </Panel>
  );
}
