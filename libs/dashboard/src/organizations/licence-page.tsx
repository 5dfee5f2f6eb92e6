import { useQuery } from '@tanstack/react-query';
import type { EnterpriseStatus, Feature } from '../api/enterprise.types.js';
import { enterpriseQuery } from '../api/organizations.queries.js';
import { Page } from '../frame/pages/page.js';
import { NotFoundPage } from '../frame/pages/problem-page.js';
import { Badge } from '../ui/badge.js';
import { DataText } from '../ui/text/data-text.js';
import { KeyValues } from '../ui/key-values.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Time } from '../ui/format/time.js';
import type { Tone } from '../ui/tone.js';
import { featureNames } from './labels.js';

const modeLabels = { development: 'Development', licensed: 'Licensed', invalid: 'Not valid' };

const tones: Record<EnterpriseStatus['mode'], Tone> = {
  development: 'warn',
  licensed: 'good',
  invalid: 'bad',
};

function Licence({ licence }: { licence: EnterpriseStatus }) {
  const { mode, licensee, expires_at: expiresAt, message, features } = licence;
  // A licence still works for some days after its expiration, and then has a message.
  const isOverdue = mode === 'licensed' && message !== null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <Panel>
        <KeyValues
          items={[
            [
              'State',
              isOverdue ? (
                <Badge key="mode" tone="warn" children="Expired, still in use" />
              ) : (
                <Badge key="mode" tone={tones[mode]} children={modeLabels[mode]} />
              ),
            ],
            ...(licensee === null
              ? []
              : ([['Licensed to', <DataText key="licensee">{licensee}</DataText>]] as const)),
            ...(mode === 'licensed'
              ? ([
                  [
                    isOverdue ? 'Expired' : 'Expires',
                    expiresAt === null ? 'Never' : <Time key="expires" ms={expiresAt} show="full" />,
                  ],
                ] as const)
              : []),
          ]}
        />
        {message !== null && (
          <p className="mt-3">
            <DataText>{message}</DataText>
          </p>
        )}
        <p className="mt-3 text-sm text-muted">
          The licence is read when the server starts, from SERVICE_LICENSE_KEY. Its expiry counts at once.
        </p>
      </Panel>
      <Panel
        title="Features"
        description="What is not licensed is left out of the pages; its routes answer 403."
      >
        <KeyValues
          items={(Object.keys(featureNames) as Feature[]).map((feature) => [
            featureNames[feature],
            features.includes(feature) ? <Badge tone="good">Included</Badge> : <Badge>Not included</Badge>,
          ])}
        />
      </Panel>
    </div>
  );
}

export default function LicencePage() {
  const licence = useQuery(enterpriseQuery);
  if (licence.data === null) return <NotFoundPage />;
  return (
    <Page title="Licence">
      <QueryPanel query={licence} queryKey={enterpriseQuery.queryKey}>
        {(status) => status && <Licence licence={status} />}
      </QueryPanel>
    </Page>
  );
}
