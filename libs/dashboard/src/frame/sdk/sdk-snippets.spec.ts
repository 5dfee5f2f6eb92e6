import { paywallSnippets } from './paywall-snippets.js';
import { receiptCommand, sdkPlatforms } from './sdk-snippets.js';

const target = { address: 'https://tenure.example.com', publicKey: 'test_abc' };

describe('the snippets of the SDKs', () => {
  it.each(sdkPlatforms.map(({ id, configure }) => [id, configure(target)] as const))(
    '%s gets the address and the key, in this order where there are two calls',
    (id, code) => {
      expect(code).toContain('"https://tenure.example.com"');
      expect(code).toContain('"test_abc"');
      if (id !== 'web') expect(code.indexOf(target.address)).toBeLessThan(code.indexOf(target.publicKey));
    },
  );
});

describe('the calls that report a paywall view', () => {
  it('exist for every SDK that runs on Android, with the address and the key', () => {
    const others = sdkPlatforms.filter(({ id }) => !(id in paywallSnippets)).map(({ id }) => id);
    expect(others).toEqual(['ios', 'web']);
    for (const snippet of Object.values(paywallSnippets)) {
      expect(snippet(target)).toContain('"https://tenure.example.com/v1/events"');
      expect(snippet(target)).toContain('Bearer test_abc');
    }
  });
});

describe('the command that posts a receipt', () => {
  it('lets the shell fill in the transaction, and nothing else', () => {
    expect(receiptCommand(target, "o'hara", 'pro_monthly')).toBe(
      [
        "curl -X POST 'https://tenure.example.com/v1/receipts' \\",
        "  -H 'Authorization: Bearer test_abc' -H 'Content-Type: application/json' \\",
        `  -d '{"app_user_id":"o'\\''hara","product_id":"pro_monthly","fetch_token":"test_'$(date +%s)000'_'$RANDOM'"}'`,
      ].join('\n'),
    );
  });
});
