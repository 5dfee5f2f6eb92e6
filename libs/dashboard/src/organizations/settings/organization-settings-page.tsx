import { useOrganization } from '../../api/organization.js';
import { Page } from '../../frame/page.js';
import { DeleteOrganizationPanel } from './delete-organization-panel.js';
import { SettingsPanel } from './settings-panel.js';
import { billingPanel, generalPanel, retentionPanel } from './settings-panels.js';
import { text } from './settings.text.js';

export default function OrganizationSettingsPage() {
  const organization = useOrganization();
  if (!organization) return null;
  return (
    <Page title={text.title} id={organization.id}>
      {/* A form starts with what is saved, so saving starts it afresh. */}
      <div key={organization.updated_at} className="grid grid-cols-1 gap-4">
        <SettingsPanel organization={organization} panel={generalPanel(organization)} />
        <SettingsPanel organization={organization} panel={retentionPanel(organization)} />
        <SettingsPanel organization={organization} panel={billingPanel(organization)} />
        <DeleteOrganizationPanel organization={organization} />
      </div>
    </Page>
  );
}
