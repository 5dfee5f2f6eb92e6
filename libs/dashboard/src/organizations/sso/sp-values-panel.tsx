import type { SsoConnection } from '../../api/enterprise.types.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { CopyValue } from './copy-value.js';

/** The values for the connection's kind. */
const valuesOf = ({ sp }: SsoConnection) =>
  [
    ['Entity id (audience)', sp.entity_id],
    ['Assertion consumer service (reply URL)', sp.acs_url],
    ['Metadata', sp.metadata_url],
    ['Redirect URI', sp.redirect_uri],
  ] as const;

/** Values to enter at the identity provider. */
export function SpValuesPanel({ connection }: { connection: SsoConnection }) {
  return (
    <Panel
      title="1. Give these values to your identity provider"
      description="In its console, add an application for this server, and copy them there."
    >
      <KeyValues
        items={[
          ...valuesOf(connection).flatMap(([label, value]) =>
            value === undefined
              ? []
              : [[label, <CopyValue key={label} label={label} value={value} />] as const],
          ),
          ...(connection.kind === 'saml' ? ([['Name id format', 'emailAddress']] as const) : []),
        ]}
      />
    </Panel>
  );
}
