/** The field and the curve -x² + y² = 1 + dx²y² (RFC 8032, 5.1). */
const P = 2n ** 255n - 19n;
const D = mod(-121665n * inverse(121666n));

/**
 * Whether 32 bytes are a public key that only the holder of a private key can sign for: a point on the curve, written
 * in the one way of RFC 8032, 5.1.3, whose order is not 1, 2, 4 or 8. Under a key of small order, one signature that
 * anybody can write down is good for many messages or for all, and RFC 8032 asks no verifier to notice (Chalkias,
 * Garillot, Nikolaenko: Taming the many EdDSAs, https://eprint.iacr.org/2020/1244, 3 and table 1).
 */
export function isEd25519PublicKey(bytes: Buffer): boolean {
  const number = BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);
  // The highest bit is the sign of x, which has no part in the order.
  const y = BigInt.asUintN(255, number);
  if (y >= P || !isSquare(xSquared(y))) return false;
  return double(double(double(y))) !== 1n;
}

/** x² of the points with this y. */
function xSquared(y: bigint): bigint {
  return mod((y * y - 1n) * inverse(D * y * y + 1n));
}

/** The y of the double of a point with this y (RFC 8032, 5.1.4, the sum of a point and itself). */
function double(y: bigint): bigint {
  const x2 = xSquared(y);
  return mod((y * y + x2) * inverse(1n - D * x2 * y * y));
}

/** By Euler's criterion. */
function isSquare(number: bigint): boolean {
  return power(number, (P - 1n) / 2n) <= 1n;
}

/** By Fermat's little theorem. */
function inverse(number: bigint): bigint {
  return power(mod(number), P - 2n);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % P) {
    if (rest & 1n) result = (result * square) % P;
  }
  return result;
}

function mod(number: bigint): bigint {
  return ((number % P) + P) % P;
}
