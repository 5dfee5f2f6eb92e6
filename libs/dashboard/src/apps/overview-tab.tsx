import { useQuery } from '@tanstack/react-query';
import { publicKeyQuery } from '../frame/sdk/public-key.queries.js';
import { SdkSnippet } from '../frame/sdk/sdk-snippet.js';
import { CopyId } from '../ui/text/copy-id.js';
import { DataText } from '../ui/text/data-text.js';
import { KeyValues } from '../ui/key-values.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { Time } from '../ui/format/time.js';
import type { App } from './apps.queries.js';
import { storeNames, text } from './apps.text.js';
import { identifierFieldOf, storeIdentifierOf } from './store-identifier.js';

function identifierLabel(app: App): string {
  const field = identifierFieldOf(app.type);
  if (field === null) return text.columns.identifier;
  return field === 'bundle_id' ? text.bundleId : text.packageName;
}

/** Settings that an app ships with: its public key, and the code that points the SDK to this server. */
export function OverviewTab({ projectId, app }: { projectId: string; app: App }) {
  const query = publicKeyQuery(projectId, app.id);
  const publicKey = useQuery(query);
  const identifier = storeIdentifierOf(app);
  return (
    <div className="grid gap-4">
      <Panel title={text.publicKey} description={text.publicKeyNote}>
        <QueryPanel query={publicKey} queryKey={query.queryKey} skeleton={<Skeleton lines={1} />}>
          {(key) => <CopyId id={key} label={text.copyKey} />}
        </QueryPanel>
      </Panel>
      <Panel title={text.sdk} description={text.sdkNote}>
        <SdkSnippet projectId={projectId} appId={app.id} />
      </Panel>
      <Panel title={text.facts}>
        <KeyValues
          items={[
            [text.type, storeNames[app.type]],
            ...(identifier === null
              ? []
              : [[identifierLabel(app), <DataText mono>{identifier}</DataText>] as const]),
            [text.urlScheme, <CopyId id={app.custom_url_scheme} />],
            [text.columns.created, <Time ms={app.created_at} show="full" />],
          ]}
        />
      </Panel>
    </div>
  );
}
