import type { SsoConnection } from '../../api/enterprise.types.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { CopyValue } from './copy-value.js';
import { text } from './sso.text.js';

/** The values for the connection's kind. */
const valuesOf = ({ sp }: SsoConnection) =>
  [
    [text.entityId, sp.entity_id],
    [text.acsUrl, sp.acs_url],
    [text.metadataUrl, sp.metadata_url],
    [text.redirectUri, sp.redirect_uri],
  ] as const;

/** Values to enter at the identity provider. */
export function SpValuesPanel({ connection }: { connection: SsoConnection }) {
  return (
    <Panel title={text.stepValues} description={text.stepValuesNote}>
      <KeyValues
        items={[
          ...valuesOf(connection).flatMap(([label, value]) =>
            value === undefined
              ? []
              : [[label, <CopyValue key={label} label={label} value={value} />] as const],
          ),
          ...(connection.kind === 'saml' ? ([[text.nameId, 'emailAddress']] as const) : []),
        ]}
      />
    </Panel>
  );
}
