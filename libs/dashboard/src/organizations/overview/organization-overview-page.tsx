import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { OrganizationOverview } from '../../api/enterprise.types.js';
import { useOrganization } from '../../api/organization.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { KeyValues } from '../../ui/key-values.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { roleNames } from '../organizations.text.js';
import { LeaveDialog } from './leave-dialog.js';
import { overviewQuery } from './overview.queries.js';
import { text } from './overview.text.js';

const route = getRouteApi('/signed-in/organizations/$orgId/overview');

function Facts({ organization }: { organization: OrganizationOverview }) {
  const { sso, scim, seats, features } = organization;
  const has = (feature: (typeof features)[number]) => features.includes(feature);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title={text.facts}>
        <KeyValues
          items={[
            [text.role, roleNames[organization.your_role]],
            [text.members, <Num key="members" value={organization.member_count} />],
            [text.projects, <Num key="projects" value={organization.project_count} />],
            [
              text.seats,
              <span key="seats" data-tip={text.seatsHint}>
                {text.seatsOf(seats.used, seats.purchased)}
              </span>,
            ],
            [text.region, organization.region_name],
            [text.created, <Time key="created" ms={organization.created_at} />],
          ]}
        />
      </Panel>
      {has('sso') && (
        <Panel title={text.signIn}>
          <KeyValues
            items={[
              [
                text.signIn,
                <Badge key="enforced" tone={organization.sso_enforced ? 'good' : 'neutral'}>
                  {organization.sso_enforced ? text.enforced : text.notEnforced}
                </Badge>,
              ],
              [text.connections, text.of(sso.enabled_connections, sso.connections)],
              [text.domains, text.of(sso.verified_domains, sso.domains)],
            ]}
          />
        </Panel>
      )}
      {has('scim') && (
        <Panel title={text.provisioning}>
          <KeyValues
            items={[
              [text.users, text.of(scim.active_users, scim.users)],
              [text.groups, <Num key="groups" value={scim.groups} />],
              [text.tokens, <Num key="tokens" value={scim.tokens} />],
            ]}
          />
        </Panel>
      )}
      {has('custom_roles') && (
        <Panel title={text.access}>
          <KeyValues
            items={[
              [text.customRoles, <Num key="roles" value={organization.custom_roles} />],
              [text.mappings, <Num key="mappings" value={organization.role_mappings} />],
            ]}
          />
        </Panel>
      )}
    </div>
  );
}

export default function OrganizationOverviewPage() {
  const { orgId } = route.useParams();
  const organization = useOrganization();
  const overview = useQuery(overviewQuery(orgId));
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <Page
      title={organization?.name ?? text.title}
      id={orgId}
      actions={
        <Button icon="log-out" onClick={() => setIsLeaving(true)}>
          {text.leave}
        </Button>
      }
    >
      <QueryPanel query={overview} queryKey={overviewQuery(orgId).queryKey}>
        {(facts) => <Facts organization={facts} />}
      </QueryPanel>
      {isLeaving && organization && (
        <LeaveDialog organization={organization} onClose={() => setIsLeaving(false)} />
      )}
    </Page>
  );
}
