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
import { identifierFieldOf, storeIdentifierOf } from './store-identifier.js';
import { storeName } from '../api/words.js';

function identifierLabel(app: App): string {
  const field = identifierFieldOf(app.type);
  if (field === null) return 'Store identifier';
  return field === 'bundle_id' ? 'Bundle ID' : 'Package name';
}

/** Settings that an app ships with: its public key, and the code that points the SDK to this server. */
export function OverviewTab({ projectId, app }: { projectId: string; app: App }) {
  const query = publicKeyQuery(projectId, app.id);
  const publicKey = useQuery(query);
  const identifier = storeIdentifierOf(app);
  return (
    <div className="grid gap-4">
      <Panel title="Public SDK key" description="Not a secret: it ships with your app.">
        <QueryPanel query={publicKey} queryKey={query.queryKey} skeleton={<Skeleton lines={1} />}>
          {(key) => <CopyId id={key} label="public SDK key" />}
        </QueryPanel>
      </Panel>
      <Panel
        title="Connect your SDK"
        description="Keep the purchase SDK in your app, and configure it with this address and key."
      >
        <SdkSnippet projectId={projectId} appId={app.id} />
      </Panel>
      <Panel title="Details">
        <KeyValues
          items={[
            ['Store', storeName(app.type)],
            ...(identifier === null
              ? []
              : [[identifierLabel(app), <DataText mono>{identifier}</DataText>] as const]),
            ['Custom URL scheme', <CopyId id={app.custom_url_scheme} />],
            ['Created', <Time ms={app.created_at} show="full" />],
          ]}
        />
      </Panel>
    </div>
  );
}
