import { useQuery } from '@tanstack/react-query';
import { CopyId } from '../../ui/text/copy-id.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { exportKeyQuery } from './exports.queries.js';
import { text } from './exports.text.js';

/** The public key that verifies signatures of exports. */
export function KeyPanel({ orgId }: { orgId: string }) {
  const query = exportKeyQuery(orgId);
  const key = useQuery(query);
  return (
    <Panel title={text.key} description={text.keyNote}>
      <QueryPanel query={key} queryKey={query.queryKey}>
        {({ public_key: publicKey, key_id: keyId }) =>
          publicKey === null || keyId === null ? (
            <p>{text.noKey}</p>
          ) : (
            <KeyValues
              items={[
                [text.keyId, <CopyId key="id" id={keyId} />],
                [text.publicKey, <CopyId key="key" id={publicKey} label={text.publicKey} />],
              ]}
            />
          )
        }
      </QueryPanel>
    </Panel>
  );
}
