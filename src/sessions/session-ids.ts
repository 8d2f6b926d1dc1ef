import { randomInt, randomUUID } from 'node:crypto';
import { isId } from '../platform/api/ids';

/** The digit behind the version in the session_id of a preview. No session of a customer has it. */
const PREVIEW = 'f';

/**
 * A new session_id, the credential of a session: a UUID v8 (RFC 9562) of the workspace's code (32 bits) and nearly 90
 * bits from the system's random source.
 */
export const newSessionId = (code: string): string => sessionIdOf(code, randomInt(15).toString(16));

/** A new session_id of a preview of a flow. */
export const newPreviewId = (code: string): string => sessionIdOf(code, PREVIEW);

function sessionIdOf(code: string, digit: string): string {
  const random = randomUUID();
  return `${code}${random.slice(8, 14)}8${digit}${random.slice(16)}`;
}

/** Tells the session_id of a preview from that of a customer's session. */
export const isPreviewId = (sessionId: string): boolean => sessionId[15] === PREVIEW;

/** Tells a session_id from the id of a record. */
export const isSessionId = (id: string): boolean => isId(id) && id[14] === '8';

/** The code of the workspace that a session_id belongs to: eight hexadecimal digits. */
export const codeIn = (sessionId: string): string => sessionId.slice(0, 8);
