import { useOrganization } from '../../api/organization.js';
import { Page } from '../../frame/pages/page.js';
import { DeleteOrganizationPanel } from './delete-organization-panel.js';
import { SettingsPanel } from './settings-panel.js';
import { billingPanel, generalPanel, retentionPanel } from './settings-panels.js';

export default function OrganizationSettingsPage() {
  const organization = useOrganization();
  if (!organization) return null;
  const panels = [generalPanel, retentionPanel, billingPanel].map((panelOf) => panelOf(organization));
  return (
    <Page title="Settings" id={organization.id}>
      <div className="grid grid-cols-1 gap-4">
        {panels.map((panel) => (
          // A form starts with the saved values, so saving resets it.
          <SettingsPanel
            key={JSON.stringify(panel.fields.map(({ value }) => value)) + panel.title}
            organization={organization}
            panel={panel}
          />
        ))}
        <DeleteOrganizationPanel organization={organization} />
      </div>
    </Page>
  );
}
