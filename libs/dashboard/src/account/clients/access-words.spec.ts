import { accessWords } from './access-words.js';

describe('what a client may do', () => {
  it.each([
    [['project:read'] as const, 'Read'],
    [['project:read', 'project:write'] as const, 'Read and change'],
    [['project:read', 'project:money'] as const, 'Read, with money'],
    [['project:read', 'project:write', 'project:money'] as const, 'Read and change, with money'],
  ])('describes it in words: %j', (scopes, words) => {
    expect(accessWords({ scopes: [...scopes] })).toBe(words);
  });
});
