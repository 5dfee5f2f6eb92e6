import { readdir } from 'node:fs/promises';
import { GoogleTokens } from './google-tokens.js';
import { TestFiles } from '../testing/test-files.js';

describe('a file with purchase tokens of Google Play', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  const read = async (content: string) => GoogleTokens.read(await files.write(content));

  it('finds tokens by order, whichever renewal it names', async () => {
    const tokens = await read('Order_Id;Purchase_Token\nGPA.1..4;tok1\nGPA.2;tok2\n');
    expect(await tokens.find({ orderId: 'GPA.1' })).toBe('tok1');
    expect(await tokens.find({ orderId: 'GPA.1..7' })).toBe('tok1');
    expect(await tokens.find({ orderId: 'GPA.2..0' })).toBe('tok2');
    expect(await tokens.find({ orderId: 'GPA.3' })).toBeNull();
    expect(tokens.counts()).toEqual({ rows: 2, used: 2, unmatched: 0 });
    await tokens.close();
  });

  it('finds tokens by customer and product, with or without a base plan', async () => {
    const tokens = await read('customer_id\tproduct_id\ttoken\nada\tpro:monthly\ttok1\nbob\tpro\ttok2\n');
    expect(await tokens.find({ orderId: 'GPA.1', customerIds: ['x', 'ada'], productId: 'pro' })).toBe('tok1');
    expect(await tokens.find({ customerIds: ['bob'], productId: 'pro:yearly' })).toBe('tok2');
    expect(await tokens.find({ customerIds: ['bob'], productId: 'gold' })).toBeNull();
    expect(await tokens.find({ customerIds: ['bob'] })).toBeNull();
    await tokens.close();
  });

  it('gives no token where a customer has two for one product', async () => {
    const tokens = await read('user_id,product_id,token\nada,pro,tok1\nada,pro,tok2\n');
    expect(await tokens.find({ customerIds: ['ada'], productId: 'pro' })).toBeNull();
    await tokens.close();
  });

  it('gives the last of two tokens for one order, with a warning that names no token', async () => {
    const tokens = await read('order_id,token\nGPA.1,tok1\nGPA.1..1,tok2\n');
    expect(await tokens.find({ orderId: 'GPA.1' })).toBe('tok2');
    expect(await tokens.find({ orderId: 'GPA.1' })).toBe('tok2');
    expect(tokens.warnings).toEqual([
      'Lines 2, 3 have different tokens for one order: the last one is used.',
    ]);
    await tokens.close();
  });

  it('counts the lines that nothing asked for', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `GPA.${index},tok${index}`);
    const tokens = await read(`order_id,token\n${lines.join('\n')}\n`);
    await tokens.find({ orderId: 'GPA.0' });
    expect(tokens.counts()).toEqual({ rows: 30, used: 1, unmatched: 29 });
    await tokens.close();
  });

  it('names lines that cannot be used', async () => {
    const tokens = await read('order_id,user_id,product_id,token\nGPA.1,,,\n,ada,,tok\n,ada,pro,tok\n');
    expect(tokens.warnings.map((warning) => warning.replace(/^.*:(?=\d)/, ''))).toEqual([
      '2 has no purchase token',
      '3 has neither an order, nor a customer and a product',
    ]);
    expect(tokens.counts().rows).toBe(1);
    await tokens.close();
  });

  it.each(['order_id,other\n', 'token,other\n'])('refuses the columns %s', async (header) => {
    await expect(read(header)).rejects.toThrow('lacks a column');
  });

  it('leaves nothing behind', async () => {
    const folder = files.path;
    const file = await files.write('order_id,token\nGPA.1,tok1\n');
    const before = await readdir(folder);
    await (await GoogleTokens.read(file, { folder })).close();
    expect(await readdir(folder)).toEqual(before);
  });
});
