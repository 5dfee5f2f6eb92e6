import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('listed_customers', {
  merge: 'triggers on customers and transactions move them',
  erase: 'a trigger deletes the row with its customer',
});
