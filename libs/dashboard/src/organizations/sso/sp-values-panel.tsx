import type { SsoConnection } from '../../api/enterprise.types.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { CopyValue } from './copy-value.js';
import { text } from './sso.text.js';

/** Those of its kind. */
const valuesOf = ({ sp }: SsoConnection) =>
  [
    [text.entityId, sp.entity_id],
    [text.acsUrl, sp.acs_url],
    [text.metadataUrl, sp.metadata_url],
    [text.redirectUri, sp.redirect_uri],
  ] as const;

/** What the identity provider must know of this server. */
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
