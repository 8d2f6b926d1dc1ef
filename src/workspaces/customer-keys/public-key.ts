import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Whether 32 bytes are a public key that only the holder of a private key can sign for: a point of the curve, written
 * in the one way of RFC 8032, 5.1.3, whose order is not 1, 2, 4 or 8. Under a key of small order, one signature that
 * anybody can write down is good for many messages or for all, and RFC 8032 asks no verifier to notice (Chalkias,
 * Garillot, Nikolaenko: Taming the many EdDSAs, https://eprint.iacr.org/2020/1244, 3 and table 1).
 */
export function isPublicKey(bytes: Buffer): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder();
  } catch {
    return false;
  }
}
