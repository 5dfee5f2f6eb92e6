import type { CallError } from '../api/call-error.js';

/** Returns the field of an error: the server names `app_store.bundle_id`, forms use `bundle_id`. */
export const storeParam = ({ param }: CallError): string | null => param?.split('.').at(-1) ?? null;
