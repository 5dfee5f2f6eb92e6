import type { Client } from 'openapi-fetch';
import { api } from './client.js';
import type { EnterprisePaths } from './enterprise.paths.js';

/** The same client, for the routes of organizations. */
export const enterpriseApi = api as unknown as Client<EnterprisePaths>;
