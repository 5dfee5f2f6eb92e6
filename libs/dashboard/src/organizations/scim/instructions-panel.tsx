import { CopyButton } from '../../ui/text/copy-button.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { Tabs } from '../../ui/tabs.js';
import { text } from './scim.text.js';

const tabs = ['okta', 'entra'] as const;
type Tab = (typeof tabs)[number];

/** Instructions for the two common providers. */
export function InstructionsPanel({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const baseUrl = `${location.origin}/scim/v2`;
  return (
    <Panel title={text.connect}>
      <div className="grid grid-cols-1 gap-4">
        <KeyValues
          items={[
            [
              text.baseUrl,
              <span key="url" className="flex min-w-0 items-start gap-1">
                <span className="min-w-0 py-0.5 wrap-anywhere">
                  <DataText mono>{baseUrl}</DataText>
                </span>
                <CopyButton value={baseUrl} label={text.baseUrl} />
              </span>,
            ],
            [text.auth, text.authValue],
          ]}
        />
        <div>
          <Tabs
            label={text.provider}
            tabs={tabs.map((id) => ({ id, label: text.tabs[id] }))}
            value={tab}
            onChange={onTab}
          >
            <ol className="grid max-w-prose list-decimal gap-2 ps-5">
              {text.steps[tab].map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </Tabs>
        </div>
      </div>
    </Panel>
  );
}
