import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../../ui/text/code-block.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { publicKeyQuery } from './public-key.queries.js';
import { usePreferences } from '../preferences.js';
import { paywallSnippets } from './paywall-snippets.js';
import { sdkPlatforms } from './sdk-snippets.js';

/** Code that points an app to this server, per platform. Starts with the last opened one. */
export function SdkSnippet({ projectId, appId }: { projectId: string; appId: string }) {
  const { preferences, change } = usePreferences();
  const query = useQuery(publicKeyQuery(projectId, appId));
  const platform = sdkPlatforms.find(({ id }) => id === preferences.sdkPlatform) ?? sdkPlatforms[0]!;
  const reportView = paywallSnippets[platform.id];
  return (
    <QueryPanel
      query={query}
      queryKey={publicKeyQuery(projectId, appId).queryKey}
      skeleton={<Skeleton lines={8} />}
    >
      {(publicKey) => (
        <Tabs
          label="Platform"
          tabs={sdkPlatforms}
          value={platform.id}
          onChange={(sdkPlatform) => change({ sdkPlatform })}
        >
          <CodeBlock
            label={`${platform.language} for ${platform.label}`}
            copy
            code={platform.configure({ address: location.origin, publicKey })}
          />
          {reportView && (
            <div className="mt-4 grid gap-2">
              <p className="text-sm text-muted">
                On Android, SDKs send paywall events to the vendor only. To record views of paywalls here, add
                one call to your app.
              </p>
              <CodeBlock
                label="Report a paywall view on Android"
                copy
                code={reportView({ address: location.origin, publicKey })}
              />
            </div>
          )}
        </Tabs>
      )}
    </QueryPanel>
  );
}
