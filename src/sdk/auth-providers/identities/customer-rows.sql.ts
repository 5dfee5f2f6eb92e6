import { customerRows } from '../../../customers/customers/identity/customer-rows.js';

customerRows('auth_identities', {
  merge: 'they have an app user id, which moves',
  erase: {
    identities: `DELETE FROM auth_identities WHERE project_id = $1 AND app_user_id = ANY (ARRAY(
       SELECT app_user_id FROM customer_aliases WHERE project_id = $1 AND customer_id = $2))`,
  },
});
