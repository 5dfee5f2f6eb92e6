import type { SsoConnection } from '../../api/enterprise.types.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { CopyValue } from './copy-value.js';
import { text } from './sso.text.js';

function valuesOf(connection: SsoConnection): [label: string, value: string][] {
  if (connection.kind === 'oidc') return [[text.redirectUri, connection.sp.redirect_uri]];
  const { entity_id: entityId, acs_url: acsUrl, metadata_url: metadataUrl } = connection.sp;
  return [
    [text.entityId, entityId],
    [text.acsUrl, acsUrl],
    [text.metadataUrl, metadataUrl],
  ];
}

/** What the identity provider must know of this server. */
export function SpValuesPanel({ connection }: { connection: SsoConnection }) {
  return (
    <Panel title={text.stepValues} description={text.stepValuesNote}>
      <KeyValues
        items={[
          ...valuesOf(connection).map(
            ([label, value]) => [label, <CopyValue key={label} label={label} value={value} />] as const,
          ),
          ...(connection.kind === 'saml' ? ([[text.nameId, 'emailAddress']] as const) : []),
        ]}
      />
    </Panel>
  );
}
