import { addressProblem, clockDifference } from './usual-causes.js';

it.each([
  ['http://localhost:8787', 'local'],
  ['http://127.0.0.1:8787', 'local'],
  ['http://[::1]:8787', 'local'],
  ['http://192.168.1.7:8787', 'http'],
  ['https://tenure.example.com', null],
  ['https://localhost.example.com', null],
])('lists what a device has against %s: %s', (address, problem) => {
  expect(addressProblem(address)).toBe(problem);
});

it('clocks may differ by a minute', () => {
  expect(clockDifference(60_000, 0)).toBeNull();
  expect(clockDifference(0, 61_000)).toBe(61_000);
});
