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
import { LeaveDialog } from './leave-dialog.js';
import { overviewQuery } from './overview.queries.js';
import { roleNames } from '../labels.js';

const route = getRouteApi('/signed-in/organizations/$orgId/overview');

function Facts({ organization }: { organization: OrganizationOverview }) {
  const { sso, scim, seats, features } = organization;
  const has = (feature: (typeof features)[number]) => features.includes(feature);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title="Organization">
        <KeyValues
          items={[
            ['Your role', roleNames[organization.your_role]],
            ['Active members', <Num key="members" value={organization.member_count} />],
            ['Projects', <Num key="projects" value={organization.project_count} />],
            [
              'Seats',
              <span
                key="seats"
                data-tip="People who are members of the organization or of one of its projects."
              >
                {seats.purchased === null ? `${seats.used} used` : `${seats.used} of ${seats.purchased} used`}
              </span>,
            ],
            ['Region', organization.region_name],
            ['Created', <Time key="created" ms={organization.created_at} />],
          ]}
        />
      </Panel>
      {has('sso') && (
        <Panel title="Sign-in">
          <KeyValues
            items={[
              [
                'Sign-in',
                <Badge key="enforced" tone={organization.sso_enforced ? 'good' : 'neutral'}>
                  {organization.sso_enforced
                    ? 'Single sign-on is required'
                    : 'Single sign-on is not required'}
                </Badge>,
              ],
              ['Connections turned on', `${sso.enabled_connections} of ${sso.connections}`],
              ['Domains verified', `${sso.verified_domains} of ${sso.domains}`],
            ]}
          />
        </Panel>
      )}
      {has('scim') && (
        <Panel title="Provisioning">
          <KeyValues
            items={[
              ['Active people', `${scim.active_users} of ${scim.users}`],
              ['Groups', <Num key="groups" value={scim.groups} />],
              ['Tokens', <Num key="tokens" value={scim.tokens} />],
            ]}
          />
        </Panel>
      )}
      {has('custom_roles') && (
        <Panel title="Roles">
          <KeyValues
            items={[
              ['Custom roles', <Num key="roles" value={organization.custom_roles} />],
              ['Group mappings', <Num key="mappings" value={organization.role_mappings} />],
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
      title={organization?.name ?? 'Overview'}
      id={orgId}
      actions={
        <Button icon="log-out" onClick={() => setIsLeaving(true)}>
          Leave the organization
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
