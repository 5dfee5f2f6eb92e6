import { serverPath } from './server-path.js';

describe('the path of a picture', () => {
  it.each([
    ['https://tenure.example.com/v1/blobs/proj1/abc', '/v1/blobs/proj1/abc'],
    ['http://localhost:8787/paywall-icons/bell.svg', '/paywall-icons/bell.svg'],
    ['https://cdn.example.com/header.png', null],
    ['header.png', null],
  ])('is taken from %s', (address, path) => {
    expect(serverPath(address)).toBe(path);
  });
});
