/**
 * Ed25519 public keys (32 bytes, base64) that verify licences. There are two so that one can be replaced; licences name
 * their key. The issuer stores the private keys offline.
 */
export const builtInKeys: readonly string[] = [
  'NPOJRJDCJMDu743DYg1bTuQJwYI2vqDvQIjyNI+sLS4=',
  'x5Ud81kErH3u+tHfOZ9FXx4c67LhM19DhOFJ1MEvC/s=',
];
