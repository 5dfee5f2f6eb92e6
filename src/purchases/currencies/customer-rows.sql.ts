import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('virtual_currency_lots', {
  merge: {
    currencies: `UPDATE virtual_currency_lots SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    balances: `DELETE FROM virtual_currency_lots WHERE project_id = $1 AND customer_id = $2`,
  },
});

customerRows('virtual_currency_transactions', {
  merge: {
    currency_history: `UPDATE virtual_currency_transactions SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    currencies: `DELETE FROM virtual_currency_transactions WHERE project_id = $1 AND customer_id = $2 AND $3 RETURNING 1`,
  },
});
