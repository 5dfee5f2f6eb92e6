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
import { featureNames, licenceText as text } from './organizations.text.js';

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
              text.mode,
              isOverdue ? (
                <Badge key="mode" tone="warn" children={text.overdue} />
              ) : (
                <Badge key="mode" tone={tones[mode]} children={text.modes[mode]} />
              ),
            ],
            ...(licensee === null
              ? []
              : ([[text.licensee, <DataText key="licensee">{licensee}</DataText>]] as const)),
            ...(mode === 'licensed'
              ? ([
                  [
                    isOverdue ? text.expired : text.expires,
                    expiresAt === null ? text.never : <Time key="expires" ms={expiresAt} show="full" />,
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
        <p className="mt-3 text-sm text-muted">{text.change}</p>
      </Panel>
      <Panel title={text.features} description={text.featuresNote}>
        <KeyValues
          items={(Object.keys(featureNames) as Feature[]).map((feature) => [
            featureNames[feature],
            features.includes(feature) ? (
              <Badge tone="good">{text.included}</Badge>
            ) : (
              <Badge>{text.notIncluded}</Badge>
            ),
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
    <Page title={text.title}>
      <QueryPanel query={licence} queryKey={enterpriseQuery.queryKey}>
        {(status) => status && <Licence licence={status} />}
      </QueryPanel>
    </Page>
  );
}
