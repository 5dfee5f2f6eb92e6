import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { DataText } from '../../ui/text/data-text.js';
import { download } from '../../ui/format/download.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatNumber } from '../../ui/format/format-number.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import type { DownloadedExport } from './exports.queries.js';
import { opensslCommands, type Verification } from './verify-export.js';

const signatures = {
  right: { tone: 'good', words: 'Valid, by the key of this server' },
  wrong: { tone: 'bad', words: 'Not valid' },
  absent: { tone: 'warn', words: 'This server has no key to sign with. Set SERVICE_SIGNING_KEY.' },
  unknown: { tone: 'neutral', words: 'This browser cannot check it here. Use the command.' },
} as const satisfies Record<Verification['signature'], object>;

/** The saved file, and whether its hash and signature are valid. */
export function ExportResult({ file }: { file: DownloadedExport }) {
  const { locale } = useFormat();
  const { name, blob, signature, publicKey, verification } = file;
  const { sha256, isHashRight } = verification;
  const found = signatures[verification.signature];
  return (
    <Panel
      title="The last export"
      actions={
        <Button size="sm" icon="download" onClick={() => download(name, blob)}>
          Save the file again
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <KeyValues
          items={[
            ['File', name],
            ['Size', `${formatNumber(locale, blob.size)} bytes`],
            ...(sha256 === null
              ? []
              : ([
                  [
                    'SHA-256',
                    <span key="hash" className="grid justify-items-start gap-1 wrap-anywhere">
                      <Badge tone={isHashRight ? 'good' : 'bad'}>
                        {isHashRight
                          ? 'The file is exactly what the server created'
                          : 'The file differs from what the server created'}
                      </Badge>
                      <DataText mono>{sha256}</DataText>
                    </span>,
                  ],
                ] as const)),
            ['Signature', <Badge key="signature" tone={found.tone} children={found.words} />],
          ]}
        />
        {signature !== null && publicKey !== null && (
          <div>
            <p className="mb-1 font-medium">Check it elsewhere, with OpenSSL 3</p>
            <CodeBlock
              label="Check it elsewhere, with OpenSSL 3"
              code={opensslCommands(name, signature, publicKey)}
              copy
              wrap
            />
          </div>
        )}
      </div>
    </Panel>
  );
}
