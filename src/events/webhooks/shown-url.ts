// The console uses this file, too.

/** A URL of Slack is a secret: it lets anybody write to the channel. So only its host is shown. */
export const hidesPath = (format: string): boolean => format === 'slack';

export function shownUrlOf({ format, url }: { format: string; url: string }): string {
  return hidesPath(format) ? new URL(url).origin : url;
}
