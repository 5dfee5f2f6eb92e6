import type { SdkTarget } from './sdk-snippets.js';

const kotlin = ({
  address,
  publicKey,
}: SdkTarget) => `// In a background thread, when a paywall is shown on Android:
val event = JSONObject()
    .put("type", "paywall_impression")
    .put("id", UUID.randomUUID().toString())
    .put("app_user_id", Purchases.sharedInstance.appUserID)
    .put("offering_id", offeringId)
    .put("timestamp", System.currentTimeMillis())
val connection = URL("${address}/v1/events").openConnection() as HttpURLConnection
connection.doOutput = true
connection.setRequestProperty("Authorization", "Bearer ${publicKey}")
connection.setRequestProperty("Content-Type", "application/json")
val body = JSONObject().put("events", JSONArray().put(event))
connection.outputStream.use { it.write(body.toString().toByteArray()) }
connection.responseCode`;

const dart = ({ address, publicKey }: SdkTarget) => `// When a paywall is shown on Android:
await http.post(
  Uri.parse("${address}/v1/events"),
  headers: {"Authorization": "Bearer ${publicKey}", "Content-Type": "application/json"},
  body: jsonEncode({
    "events": [
      {
        "type": "paywall_impression",
        "id": const Uuid().v4(),
        "app_user_id": await Purchases.appUserID,
        "offering_id": offeringId,
        "timestamp": DateTime.now().millisecondsSinceEpoch,
      }
    ]
  }),
);`;

const typescript =
  (appUserId: string) =>
  ({ address, publicKey }: SdkTarget) =>
    `// When a paywall is shown on Android:
await fetch("${address}/v1/events", {
  method: "POST",
  headers: { Authorization: "Bearer ${publicKey}", "Content-Type": "application/json" },
  body: JSON.stringify({
    events: [
      {
        type: "paywall_impression",
        id: crypto.randomUUID(),
        app_user_id: ${appUserId},
        offering_id: offeringId,
        timestamp: Date.now(),
      },
    ],
  }),
});`;

/** Calls that report a view of a paywall: SDKs on Android send their events to their vendor only. */
export const paywallSnippets: Readonly<Record<string, (target: SdkTarget) => string>> = {
  android: kotlin,
  flutter: dart,
  'react-native': typescript('await Purchases.getAppUserID()'),
  capacitor: typescript('(await Purchases.getAppUserID()).appUserID'),
  kmp: kotlin,
};
