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
import { text } from './exports.text.js';
import { opensslCommands, type Verification } from './verify-export.js';

const signatures = {
  right: { tone: 'good', words: text.signatureRight },
  wrong: { tone: 'bad', words: text.signatureWrong },
  absent: { tone: 'warn', words: text.signatureAbsent },
  unknown: { tone: 'neutral', words: text.signatureUnknown },
} as const satisfies Record<Verification['signature'], object>;

/** The saved file, and whether its hash and signature are valid. */
export function ExportResult({ file }: { file: DownloadedExport }) {
  const { locale } = useFormat();
  const { name, blob, signature, publicKey, verification } = file;
  const { sha256, isHashRight } = verification;
  const found = signatures[verification.signature];
  return (
    <Panel
      title={text.result}
      actions={
        <Button size="sm" icon="download" onClick={() => download(name, blob)}>
          {text.again}
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <KeyValues
          items={[
            [text.file, name],
            [text.size, text.bytes(formatNumber(locale, blob.size))],
            ...(sha256 === null
              ? []
              : ([
                  [
                    text.hash,
                    <span key="hash" className="grid justify-items-start gap-1 wrap-anywhere">
                      <Badge tone={isHashRight ? 'good' : 'bad'}>
                        {isHashRight ? text.hashRight : text.hashWrong}
                      </Badge>
                      <DataText mono>{sha256}</DataText>
                    </span>,
                  ],
                ] as const)),
            [text.signature, <Badge key="signature" tone={found.tone} children={found.words} />],
          ]}
        />
        {signature !== null && publicKey !== null && (
          <div>
            <p className="mb-1 font-medium">{text.command}</p>
            <CodeBlock label={text.command} code={opensslCommands(name, signature, publicKey)} copy wrap />
          </div>
        )}
      </div>
    </Panel>
  );
}
