import { emailOfServiceAccount, isPrivateKey, keyIdOfFile } from './store-file.js';

describe('key files of stores', () => {
  it.each([
    ['SubscriptionKey_ABC123DEFG.p8', 'ABC123DEFG'],
    ['AuthKey_ABC123DEFG.p8', 'ABC123DEFG'],
    ['SubscriptionKey_ABC123DEFG (1).p8', 'ABC123DEFG'],
    ['key.p8', null],
    ['SubscriptionKey_ABC123DEFG.txt', null],
  ])('%s carries the key id %s', (name, id) => {
    expect(keyIdOfFile(name)).toBe(id);
  });

  it.each([
    ['-----BEGIN PRIVATE KEY-----\nMIGT+/=\n-----END PRIVATE KEY-----\n', true],
    ['\r\n-----BEGIN PRIVATE KEY-----\r\nMIGT\r\n-----END PRIVATE KEY-----', true],
    ['-----BEGIN CERTIFICATE-----\nMIGT\n-----END CERTIFICATE-----', false],
    ['', false],
  ])('%j: a private key is %s', (text, expected) => {
    expect(isPrivateKey(text)).toBe(expected);
  });

  it.each([
    [{ client_email: 'a@b.iam.gserviceaccount.com', private_key: 'k' }, 'a@b.iam.gserviceaccount.com'],
    [{ client_email: 'a@b.iam.gserviceaccount.com' }, null],
    [null, null],
    ['text', null],
  ])('%j is the service account %s', (file, email) => {
    expect(emailOfServiceAccount(JSON.stringify(file))).toBe(email);
  });

  it('rejects them as service accounts if they are not JSON', () => {
    expect(emailOfServiceAccount('{')).toBeNull();
  });
});
