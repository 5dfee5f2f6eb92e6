import { CopyButton } from '../../ui/text/copy-button.js';
import { DataText } from '../../ui/text/data-text.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { Tabs } from '../../ui/tabs.js';

const tabLabels = { okta: 'Okta', entra: 'Entra ID' };

const scimSteps = {
  okta: [
    'In the admin console, open Applications and the application of this server, or add “SCIM 2.0 Test App (OAuth Bearer Token)”.',
    'On the General tab, choose SCIM as the provisioning, and save.',
    'On the Provisioning tab, open Integration: enter the base address, “userName” as the unique identifier, and HTTP Header with a token of this page. Choose Test Connector Configuration.',
    'Below “To App”, turn on Create Users, Update User Attributes and Deactivate Users.',
    'On the Assignments tab assign people or groups; on Push Groups choose the groups for group mappings.',
  ],
  entra: [
    'In the admin center, open Enterprise applications and the application of this server, or create one that is not in the gallery.',
    'Open Provisioning, choose Automatic, and enter the base address as Tenant URL and a token of this page as Secret Token. Choose Test Connection, and save.',
    'Below Mappings, keep userPrincipalName as userName if it is the email address; else map mail to userName.',
    'Below Users and groups, assign who is to have access.',
    'Set the Provisioning Status to On. The first run starts within 40 minutes; Provision on demand starts one at once.',
  ],
};

const tabs = ['okta', 'entra'] as const;
type Tab = (typeof tabs)[number];

/** Instructions for the two common providers. */
export function InstructionsPanel({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const baseUrl = `${location.origin}/scim/v2`;
  return (
    <Panel title="Connect your provider">
      <div className="grid grid-cols-1 gap-4">
        <KeyValues
          items={[
            [
              'Base address (tenant URL)',
              <span key="url" className="flex min-w-0 items-start gap-1">
                <span className="min-w-0 py-0.5 wrap-anywhere">
                  <DataText mono>{baseUrl}</DataText>
                </span>
                <CopyButton value={baseUrl} label="Base address (tenant URL)" />
              </span>,
            ],
            ['Authentication', 'Bearer token (HTTP header)'],
          ]}
        />
        <div>
          <Tabs
            label="Provider"
            tabs={tabs.map((id) => ({ id, label: tabLabels[id] }))}
            value={tab}
            onChange={onTab}
          >
            <ol className="grid max-w-prose list-decimal gap-2 ps-5">
              {scimSteps[tab].map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </Tabs>
        </div>
      </div>
    </Panel>
  );
}
