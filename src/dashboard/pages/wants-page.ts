import type { Request, Response } from 'express';

/** Whether the client prefers HTML to JSON. Browsers do; probes and scripts, which accept anything, do not. */
export function wantsPage(request: Request, response: Response): boolean {
  response.vary('Accept');
  return request.accepts('json', 'html') === 'html';
}
