import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DashboardFilesService } from '../../../dashboard/pages/dashboard-files.service.js';
import { type Html, markup } from '../../../platform/http/pipeline/html.js';

interface Page {
  title: string;
  body: Html;
  /** Target of the redirect after the form, as a source for the page's Content-Security-Policy. */
  formTarget?: string;
}

function policyOf({ formTarget }: Page): string {
  const target = formTarget === undefined ? "'none'" : `'self' ${formTarget}`;
  return `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action ${target}; frame-ancestors 'none'`;
}

/** Pages without scripts, styled like the dashboard. */
@Injectable()
export class OauthPagesService {
  constructor(private readonly files: DashboardFilesService) {}

  send(response: Response, status: number, page: Page): void {
    const { stylesheetPath: stylesheet, iconPath: icon } = this.files;
    const document = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Tenure</title>
${stylesheet === null ? null : markup`<link rel="stylesheet" href="${stylesheet}">`}
${icon === null ? null : markup`<link rel="icon" href="${icon}">`}
</head>
<body>
<main>
${page.body}
</main>
</body>
</html>
`;
    response
      .status(status)
      .set({
        'Content-Security-Policy': policyOf(page),
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
      .type('html')
      .send(document.text);
  }

  sendProblem(response: Response, status: number, title: string, message: string): void {
    const body = markup`<h1>${title}</h1>
<p>${message}</p>
<p class="hint">Close this page and go back to the program that opened it.</p>`;
    this.send(response, status, { title, body });
  }
}
