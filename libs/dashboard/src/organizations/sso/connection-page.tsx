import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { SsoConnection } from '../../api/enterprise.types.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { DeleteConnectionDialog } from './delete-connection-dialog.js';
import { DomainsPanel } from './domains-panel.js';
import { EnforcePanel } from './enforce-panel.js';
import { OidcPanel } from './oidc-panel.js';
import { SamlPanel } from './saml-panel.js';
import { SpValuesPanel } from './sp-values-panel.js';
import { connectionQuery } from './sso.queries.js';
import { SwitchPanel } from './switch-panel.js';
import { TryPanel } from './try-panel.js';
import { kindLabels } from './labels.js';

const route = getRouteApi('/signed-in/organizations/$orgId/sso/$connectionId');

const formKey = ({ name, jit, saml, oidc }: SsoConnection) => JSON.stringify([name, jit, saml, oidc]);

/** A connection, with its panels in the order of setup. */
export default function ConnectionPage() {
  const { orgId, connectionId } = route.useParams();
  const query = connectionQuery(orgId, connectionId);
  const connection = useQuery(query);
  const [isDeleting, setIsDeleting] = useState(false);
  const { data } = connection;
  return (
    <Page
      title={data?.name ?? 'Single sign-on'}
      id={connectionId}
      badges={
        data && (
          <>
            <Badge>{kindLabels[data.kind]}</Badge>
            <Badge tone={data.enabled ? 'good' : 'neutral'}>{data.enabled ? 'On' : 'Off'}</Badge>
          </>
        )
      }
      actions={
        data && (
          <Button variant="danger" icon="trash" onClick={() => setIsDeleting(true)}>
            Delete connection
          </Button>
        )
      }
    >
      <QueryPanel query={connection} queryKey={query.queryKey}>
        {(saved) => (
          <div className="grid grid-cols-1 gap-4">
            <SpValuesPanel connection={saved} />
            {/* A form starts with the saved values, so saving resets it. */}
            {saved.saml && (
              <SamlPanel key={formKey(saved)} orgId={orgId} connection={saved} saml={saved.saml} />
            )}
            {saved.oidc && (
              <OidcPanel key={formKey(saved)} orgId={orgId} connection={saved} oidc={saved.oidc} />
            )}
            <DomainsPanel orgId={orgId} title="3. Prove that the domain is yours" />
            <SwitchPanel orgId={orgId} connection={saved} />
            <TryPanel orgId={orgId} connection={saved} />
            <EnforcePanel orgId={orgId} title="6. Require it" />
            {isDeleting && (
              <DeleteConnectionDialog orgId={orgId} connection={saved} onClose={() => setIsDeleting(false)} />
            )}
          </div>
        )}
      </QueryPanel>
    </Page>
  );
}
