import { appsOfOrder, namesOfOrder } from './order-ids.js';

it.each([
  ['GPA.3312-1234-5678-90123', ['play_store']],
  ['GPA.3312-1234-5678-90123..4', ['play_store']],
  ['MK5TTTVWJH', ['app_store', 'mac_app_store']],
  ['GPA.', []],
  ['mk5tttvwjh', []],
  ['2000000123456789', []],
  ['test_1700000000000_x', []],
])('%s is an order of %j', (orderId, apps) => {
  expect(appsOfOrder(orderId)).toEqual(apps);
});

it.each([
  ['GPA.3312-1234-5678-90123', ['GPA.3312-1234-5678-90123']],
  ['GPA.3312-1234-5678-90123..4', ['GPA.3312-1234-5678-90123..4', 'GPA.3312-1234-5678-90123']],
  ['..4', ['..4']],
])('%s is known as %j', (orderId, names) => {
  expect(namesOfOrder(orderId)).toEqual(names);
});
