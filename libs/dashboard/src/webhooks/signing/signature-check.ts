/** The server sends it in this case; receivers must ignore the case. */
const HEADER = 'X-Service-Webhook-Signature';

export const languages = [
  { id: 'node', label: 'Node.js' },
  { id: 'python', label: 'Python' },
  { id: 'go', label: 'Go' },
  { id: 'php', label: 'PHP' },
  { id: 'ruby', label: 'Ruby' },
];

/** Code by language that verifies the signature header of a raw request body. */
export const checkingCode: Record<string, string> = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

// verify(rawBody, request.headers['${HEADER.toLowerCase()}'], process.env.WEBHOOK_SECRET)
function verify(rawBody, header, secret) {
  const [t, ...signatures] = (header ?? '').split(',');
  const seconds = Number(t.slice('t='.length));
  if (!(Math.abs(Date.now() / 1000 - seconds) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(\`\${seconds}.\`).update(rawBody).digest();
  return signatures.some((part) => {
    const given = Buffer.from(part.replace('v1=', ''), 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  python: `import hashlib, hmac, time

# verify(raw_body, request.headers.get("${HEADER}"), WEBHOOK_SECRET)
def verify(raw_body: bytes, header: str | None, secret: str) -> bool:
    t, *signatures = (header or "").split(",")
    try:
        seconds = int(t.removeprefix("t="))
    except ValueError:
        return False
    if abs(time.time() - seconds) > 300:
        return False
    expected = hmac.new(secret.encode(), b"%d." % seconds + raw_body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(part.encode(), f"v1={expected}".encode()) for part in signatures)`,
  go: `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// verify(rawBody, r.Header.Get("${HEADER}"), secret)
func verify(rawBody []byte, header, secret string) bool {
	parts := strings.Split(header, ",")
	t := strings.TrimPrefix(parts[0], "t=")
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, part := range parts[1:] {
		given, err := hex.DecodeString(strings.TrimPrefix(part, "v1="))
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}`,
  php: `<?php
// verify(file_get_contents('php://input'), $_SERVER['HTTP_${HEADER.toUpperCase().replaceAll('-', '_')}'] ?? '', $secret)
function verify(string $rawBody, string $header, string $secret): bool
{
    $signatures = explode(',', $header);
    $seconds = substr(array_shift($signatures), strlen('t='));
    if (!ctype_digit($seconds) || abs(time() - (int) $seconds) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$seconds.$rawBody", $secret);
    foreach ($signatures as $part) {
        if (hash_equals($expected, preg_replace('/^v1=/', '', $part))) {
            return true;
        }
    }
    return false;
}`,
  ruby: `require 'openssl'

# verify(request.raw_post, request.headers['${HEADER}'], ENV['WEBHOOK_SECRET'])
def verify(raw_body, header, secret)
  t, *signatures = header.to_s.split(',')
  seconds = Integer(t.to_s.delete_prefix('t='), 10, exception: false)
  return false if seconds.nil? || (Time.now.to_i - seconds).abs > 300
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{seconds}.#{raw_body}")
  signatures.any? { |part| OpenSSL.secure_compare(part.delete_prefix('v1='), expected) }
end`,
};
