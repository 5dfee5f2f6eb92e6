import { useQuery } from '@tanstack/react-query';
import { CopyId } from '../../ui/text/copy-id.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { exportKeyQuery } from './exports.queries.js';

/** The public key that verifies signatures of exports. */
export function KeyPanel({ orgId }: { orgId: string }) {
  const query = exportKeyQuery(orgId);
  const key = useQuery(query);
  return (
    <Panel title="Signing key" description="Send it to your auditor separately from the file.">
      <QueryPanel query={key} queryKey={query.queryKey}>
        {({ public_key: publicKey, key_id: keyId }) =>
          publicKey === null || keyId === null ? (
            <p>This server has no key to sign with.</p>
          ) : (
            <KeyValues
              items={[
                ['Key id', <CopyId key="id" id={keyId} />],
                [
                  'Public key (Ed25519, base64)',
                  <CopyId key="key" id={publicKey} label="Public key (Ed25519, base64)" />,
                ],
              ]}
            />
          )
        }
      </QueryPanel>
    </Panel>
  );
}
