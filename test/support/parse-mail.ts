/** A message (RFC 5322) with a plain text and an HTML part, decoded. */
export interface ParsedMail {
  /** By lower-case name, decoded (RFC 2047). Of fields with the same name all values. */
  headers: Record<string, string[]>;
  text: string;
  html: string;
}

export function parseMail(raw: string): ParsedMail {
  const { headers, body } = split(raw);
  const [, boundary] = /boundary="?([^";]+)/.exec(headers['content-type'][0])!;
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const contentOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type'][0].startsWith(type))!;
    return decoded(part.body, part.headers['content-transfer-encoding']?.[0]);
  };
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') };
}

function split(raw: string): { headers: Record<string, string[]>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .split('\r\n')) {
    const [, name, value] = /^([\x21-\x39\x3b-\x7e]+): ?(.*)$/.exec(line)!;
    (headers[name.toLowerCase()] ??= []).push(decodedWords(value));
  }
  return { headers, body: raw.slice(end + 4) };
}

function decodedWords(value: string): string {
  return value
    .replaceAll(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('latin1')
        : unquoted(text.replaceAll('_', ' ')),
    )
    .replaceAll(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  return Buffer.from(unquoted(body.replaceAll('=\r\n', '')), 'latin1').toString('utf8');
}

/** The bytes of quoted-printable text, as Latin-1. */
function unquoted(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
