import { qrPath } from './qr-path.js';

it('draws each run of dark modules as one rectangle', () => {
  const rows = ['##.', '...', '#.#'].map((row) => [...row].map((module) => module === '#'));
  expect(qrPath(rows)).toBe('M0 0h2v1h-2zM0 2h1v1h-1zM2 2h1v1h-1z');
});
