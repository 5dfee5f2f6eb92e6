/** The text above the operations in Swagger UI. */
export const introduction = `Self-hostable backend for in-app purchases and subscriptions.

## Your first call

1. **Sign in.** Open \`POST /auth/signup\` below (\`POST /auth/login\` if you have an account), enter your email
   address and a password, and press *Execute*. Your browser now holds a session, and the operations on this page use it.
2. **Find your project.** Execute \`GET /v2/projects\` and copy the \`id\`.
3. **Create a secret key.** Execute \`POST /v2/projects/{project_id}/api_keys\`. Copy \`key\` from the answer: it is shown
   once. Press *Authorize*, paste it under \`secret_key\`, and call the API as your backend will:

\`\`\`sh
curl -H "Authorization: Bearer sk_..." http://localhost:8787/v2/projects/{project_id}/customers
\`\`\`

## Which key for what

| You call | Send |
| --- | --- |
| \`/v2\`, from a backend or a script | a secret key (\`sk_...\`), or the session of a user |
| \`/v1\` and \`/rcbilling\`, from an app | the public key of the app: \`GET /v2/projects/{project_id}/apps/{app_id}/public_api_keys\` |
| \`/v1\`, from a backend | a secret key |

Send keys in the header \`Authorization: Bearer <key>\`. Each operation names the permission that the key, or the role of
the user, needs.

## Errors

\`/v2\` answers errors as \`{"object": "error", "type", "message", "param", "doc_url", "retryable"}\`: \`type\` is for
programs, \`param\` names the field or parameter at fault, \`doc_url\` explains. Retry a request only if \`retryable\`
is true. Every \`POST\` of \`/v2\` takes an \`Idempotency-Key\`: a request with the same key is executed once.

## Lists

Lists return 20 items a page, at most 100 (\`limit\`). \`next_page\` is the path of the next page, and null on the last one.

Clients that reject unknown fields send \`X-Service-Fields: vendor\`: responses of the vendor's operations
then omit our additional fields.

Times are in epoch milliseconds and amounts of money in millionths of the currency (\`micros\`), unless a field says otherwise.
`;
