/** Configuration of an SDK: this server's URL and an app's key. */
export interface SdkTarget {
  address: string;
  publicKey: string;
}

export interface SdkPlatform {
  id: string;
  label: string;
  /** File type of the code, for the block's label. */
  language: string;
  configure: (target: SdkTarget) => string;
}

/**
 * The first lines of an app for each SDK. The URL comes before `configure`, which reads it once. This server signs with
 * its own key, so signature checks that SDKs enable by default are disabled.
 */
export const sdkPlatforms: readonly SdkPlatform[] = [
  {
    id: 'ios',
    label: 'iOS',
    language: 'Swift',
    configure: ({ address, publicKey }) => `import RevenueCat

Purchases.proxyURL = URL(string: "${address}")!
Purchases.configure(
    with: Configuration.Builder(withAPIKey: "${publicKey}")
        .with(entitlementVerificationMode: .disabled)
        .build()
)`,
  },
  {
    id: 'android',
    label: 'Android',
    language: 'Kotlin',
    configure: ({ address, publicKey }) => `import com.revenuecat.purchases.EntitlementVerificationMode
import com.revenuecat.purchases.Purchases
import com.revenuecat.purchases.PurchasesConfiguration
import java.net.URL

Purchases.proxyURL = URL("${address}")
Purchases.configure(
    PurchasesConfiguration.Builder(context, "${publicKey}")
        .entitlementVerificationMode(EntitlementVerificationMode.DISABLED)
        .build()
)`,
  },
  {
    id: 'flutter',
    label: 'Flutter',
    language: 'Dart',
    configure: ({ address, publicKey }) => `import 'package:purchases_flutter/purchases_flutter.dart';

await Purchases.setProxyURL("${address}");
await Purchases.configure(PurchasesConfiguration("${publicKey}"));`,
  },
  {
    id: 'react-native',
    label: 'React Native',
    language: 'TypeScript',
    configure: ({ address, publicKey }) => `import Purchases from "react-native-purchases";

await Purchases.setProxyURL("${address}");
Purchases.configure({ apiKey: "${publicKey}" });`,
  },
  {
    id: 'web',
    label: 'Web',
    language: 'TypeScript',
    configure: ({
      address,
      publicKey,
    }) => `import { type HttpConfig, Purchases } from "@revenuecat/purchases-js";

// Without eventsURL the SDK sends its usage events to the vendor.
const address = "${address}";
const purchases = Purchases.configure({
  apiKey: "${publicKey}",
  appUserId: "demo-user-1",
  httpConfig: { proxyURL: address, eventsURL: address } as HttpConfig,
});`,
  },
  {
    id: 'capacitor',
    label: 'Capacitor',
    language: 'TypeScript',
    configure: ({
      address,
      publicKey,
    }) => `import { ENTITLEMENT_VERIFICATION_MODE, Purchases } from "@revenuecat/purchases-capacitor";

await Purchases.setProxyURL({ url: "${address}" });
await Purchases.configure({
  apiKey: "${publicKey}",
  entitlementVerificationMode: ENTITLEMENT_VERIFICATION_MODE.DISABLED,
});`,
  },
  {
    id: 'kmp',
    label: 'Kotlin Multiplatform',
    language: 'Kotlin',
    configure: ({ address, publicKey }) => `import com.revenuecat.purchases.kmp.Purchases
import com.revenuecat.purchases.kmp.configure

Purchases.proxyURL = "${address}"
Purchases.configure(apiKey = "${publicKey}")`,
  },
];

/** Command that posts a test receipt like an SDK, with a new transaction each time. */
export function receiptCommand({ address, publicKey }: SdkTarget, appUserId: string, productId: string) {
  const body = JSON.stringify({ app_user_id: appUserId, product_id: productId }).slice(0, -1);
  const quoted = body.replaceAll("'", `'\\''`);
  return `curl -X POST '${address}/v1/receipts' \\
  -H 'Authorization: Bearer ${publicKey}' -H 'Content-Type: application/json' \\
  -d '${quoted},"fetch_token":"test_'$(date +%s)000'_'$RANDOM'"}'`;
}
