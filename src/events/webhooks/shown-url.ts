/** A URL of Slack is a secret: it lets anybody write to the channel. So only its host is shown. The console uses this file, too. */
export function shownUrlOf({ format, url }: { format: string; url: string }): string {
  return format === 'slack' ? new URL(url).origin : url;
}
