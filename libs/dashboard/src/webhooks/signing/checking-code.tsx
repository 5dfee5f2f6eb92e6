import { useState } from 'react';
import { CodeBlock } from '../../ui/text/code-block.js';
import { Tabs } from '../../ui/tabs.js';
import { checkingCode, languages } from './signature-check.js';

/** Code that verifies in a backend that a request came from this server. */
export function CheckingCode() {
  const [language, setLanguage] = useState<string>('node');
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="font-medium">Check the signature</h3>
      <p className="text-sm text-muted">Verify the raw request body, not re-serialized JSON.</p>
      <Tabs label="Check the signature" tabs={languages} value={language} onChange={setLanguage}>
        <CodeBlock label="Check the signature" code={checkingCode[language] ?? ''} copy />
      </Tabs>
    </section>
  );
}
