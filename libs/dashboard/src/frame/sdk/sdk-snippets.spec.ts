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
