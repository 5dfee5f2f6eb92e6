import { renderSVG } from 'uqr';
import { Html, markup } from '../../platform/http/pipeline/html.js';

interface PageFacts {
  appName: string;
  appStoreUrl: string | null;
  playStoreUrl: string | null;
  supportEmail: string | null;
}

export type RedemptionPage =
  | (PageFacts & { state: 'active'; deepLink: string; url: string })
  | (PageFacts & { state: 'expired'; canResend: boolean; token: string })
  | (PageFacts & { state: 'redeemed' })
  | { state: 'unknown' | 'resent' | 'too_many' };

/** Allows no scripts, no resources and no frames. The button opens the app's own scheme, which no directive covers. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'";

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; background: #fff; color: #1f2328 }
main { max-width: 28rem; margin: 0 auto }
h1 { font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere }
p { overflow-wrap: anywhere }
a { color: #1f4fd8 }
.button, button { display: inline-block; padding: .65rem 1.1rem; border: 0; border-radius: .4rem; background: #1f4fd8;
  color: #fff; font: inherit; text-decoration: none; cursor: pointer }
ul { padding: 0; list-style: none }
figure { margin: 1.5rem 0 } figure svg { width: 12rem; height: 12rem; background: #fff }
.hint { color: #59636e; font-size: .875rem }
@media (max-width: 40rem), (pointer: coarse) { figure { display: none } }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } a { color: #8ab4ff }
  .hint { color: #9198a1 } }
`;

function stores({ appStoreUrl, playStoreUrl }: PageFacts): Html | null {
  const links = [
    ...(appStoreUrl === null
      ? []
      : [markup`<li><a href="${appStoreUrl}">Get the app in the App Store</a></li>`]),
    ...(playStoreUrl === null
      ? []
      : [markup`<li><a href="${playStoreUrl}">Get the app on Google Play</a></li>`]),
  ];
  return links.length === 0 ? null : markup`<p>You do not have the app yet?</p><ul>${links}</ul>`;
}

function support({ supportEmail }: PageFacts): Html | null {
  if (supportEmail === null) return null;
  return markup`<p class="hint">Questions? <a href="mailto:${supportEmail}">${supportEmail}</a></p>`;
}

function bodyOf(page: RedemptionPage): { title: string; body: Html } {
  switch (page.state) {
    case 'active':
      return {
        title: `Your purchase in ${page.appName}`,
        body: markup`<p>Open this page on the device on which you use ${page.appName}.</p>
<p><a class="button" href="${page.deepLink}">Open in ${page.appName}</a></p>
<figure>
${new Html(renderSVG(page.url, { border: 2 }).replace('<svg ', '<svg role="img" aria-label="QR code with the address of this page" '))}
<figcaption class="hint">Or scan this code with your phone.</figcaption>
</figure>
${stores(page)}
<p class="hint">The link works once.</p>`,
      };
    case 'expired':
      return {
        title: 'This link has expired',
        body: page.canResend
          ? markup`<p>A new link can be sent to the address that was given with the purchase.</p>
<form method="post" action="/redeem/${page.token}/resend"><button>Send a new link</button></form>`
          : markup`<p>Ask where you bought ${page.appName} for a new one.</p>`,
      };
    case 'redeemed':
      return {
        title: 'This link has been used',
        body: markup`<p>The purchase is in ${page.appName} already. Open the app to use it.</p>
${stores(page)}`,
      };
    case 'resent':
      return {
        title: 'Look into your mail',
        body: markup`<p>If a new link can be sent for this purchase, it arrives within a few minutes. At most one is sent an hour.</p>`,
      };
    case 'too_many':
      return { title: 'Too many requests', body: markup`<p>Wait a minute, then open the link again.</p>` };
    case 'unknown':
      return {
        title: 'This link is not valid',
        body: markup`<p>Check that the address is complete. Of several links for one purchase, only the newest works.</p>`,
      };
  }
}

export function redemptionPage(page: RedemptionPage): string {
  const { title, body } = bodyOf(page);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
${'appName' in page ? support(page) : null}
</main>
</body>
</html>
`.text;
}
