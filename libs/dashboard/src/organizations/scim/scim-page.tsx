import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { CreateTokenDialog } from './create-token-dialog.js';
import { GroupsPanel } from './groups-panel.js';
import { InstructionsPanel } from './instructions-panel.js';
import { RecentPanel } from './recent-panel.js';
import { TokensPanel } from './tokens-panel.js';

const route = getRouteApi('/signed-in/organizations/$orgId/scim');

export default function ScimPage() {
  const { orgId } = route.useParams();
  const { tab = 'okta' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setIsCreating(true)}>
      New token
    </Button>
  );
  return (
    <Page
      title="Provisioning"
      note="Your identity provider adds, changes and removes people and groups by SCIM 2.0. Users deactivated there lose every session and all access at once."
      actions={create}
      inTurn
    >
      <InstructionsPanel
        tab={tab}
        onTab={(chosen) => void navigate({ search: { tab: chosen === 'okta' ? undefined : chosen } })}
      />
      <TokensPanel orgId={orgId} />
      <GroupsPanel orgId={orgId} />
      <RecentPanel orgId={orgId} />
      {isCreating && <CreateTokenDialog orgId={orgId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
