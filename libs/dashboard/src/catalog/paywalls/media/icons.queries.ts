import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../api/client.js';

/** Icons of the server, the same for every project. */
export const paywallIconsQuery = queryOptions({
  queryKey: ['paywall-icons'],
  queryFn: ({ signal }) => call(api.GET('/paywall-icons', { signal })),
  staleTime: Infinity,
});
