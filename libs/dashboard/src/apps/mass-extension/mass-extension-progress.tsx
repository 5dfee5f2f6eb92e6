import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { massExtensionQuery } from './mass-extension.queries.js';
import { text } from './mass-extension.text.js';

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
    <Panel title={text.progress}>
      <QueryPanel query={extension} queryKey={query.queryKey} stale>
        {(found) => (
          <div className="grid gap-3">
            <p role="status">
              {found.complete ? (
                <Badge tone="good">{text.complete}</Badge>
              ) : (
                <Badge tone="accent" icon="clock">
                  {text.working}
                </Badge>
              )}
            </p>
            <KeyValues
              items={[
                [text.product, <DataText mono>{found.product_id}</DataText>],
                [text.days, <Num value={found.extend_by_days} />],
                [text.reason, text.reasons[found.extend_reason_code]],
                [text.environment, text.environments[found.environment]],
                [
                  text.countries,
                  found.storefront_country_codes.length === 0
                    ? text.allCountries
                    : text.someCountries(found.storefront_country_codes),
                ],
                [text.requested, <Time ms={found.requested_at} show="full" />],
                [text.completed, <Time ms={found.completed_at} show="full" />],
                [text.succeeded, count(found.succeeded_count)],
                [text.failed, count(found.failed_count)],
              ]}
            />
          </div>
        )}
      </QueryPanel>
    </Panel>
  );
}
