/** An address that somebody entered. It is a link only if it leads to the web. */
export function WebLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span>{url}</span>;
  return (
    <a href={url} rel="noopener noreferrer" target="_blank">
      {url}
    </a>
  );
}
