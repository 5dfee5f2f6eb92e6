import type { DatasetColumn } from '../dataset.model.js';
import { column, nullable } from './column.js';

export const customerColumns: readonly DatasetColumn[] = [
  column('customer_id', 'text', 'The internal id of the customer, which never changes.'),
  column('original_app_user_id', 'text', 'The first app user id of the customer.'),
  column(
    'last_seen_app_user_id',
    'text',
    'The newest identified alias of the customer, or the original app user id without one.',
  ),
  column('aliases', 'json', 'All app user ids of the customer, as a sorted array.'),
  column('first_seen_at', 'time', 'When the customer was first seen.'),
  nullable(
    'last_seen_at',
    'time',
    'When the customer was last seen, at the time of the last change of the row.',
  ),
  nullable('last_seen_platform', 'text', 'The last seen platform of the customer.'),
  nullable(
    'last_seen_app_version',
    'text',
    'The last seen version of your app, at the time of the last change of the row.',
  ),
  nullable('last_seen_country', 'text', 'The last seen country of the customer.'),
  nullable(
    'reserved_attributes',
    'json',
    'Attributes whose names begin with $, with value and updated_at_ms.',
  ),
  nullable('custom_attributes', 'json', 'Other attributes, with value and updated_at_ms.'),
  nullable('experiment_id', 'text', 'The experiment in which the customer was enrolled last.'),
  nullable('experiment_variant', 'text', 'The variant of the customer in that experiment: a, b, ….'),
  column('updated_at', 'time', 'When the row last changed; a later visit alone is no change.'),
];

export const deletionColumns: readonly DatasetColumn[] = [
  column('dataset', 'text', 'The data set that the key belongs to.'),
  column(
    'key',
    'json',
    'The key of a row that no longer exists: the four key columns of a transaction, or the id.',
  ),
  column('deleted_at', 'time', 'When the row was deleted.'),
];
