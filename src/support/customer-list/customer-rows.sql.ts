import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('listed_customers', {
  merge: 'triggers on customers mark both, whose rows are computed again',
  erase: 'a trigger deletes the row with its customer',
});
