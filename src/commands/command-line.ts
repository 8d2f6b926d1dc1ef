/** How to run a command of this program: by npm in a checkout, or as the file that was started. */
export function commandLine(env: NodeJS.ProcessEnv, command: string, ...options: string[]): string {
  const isByNpm = ['start', command].includes(env.npm_lifecycle_event ?? '');
  if (isByNpm) return ['npm run', command, ...(options.length > 0 ? ['--', ...options] : [])].join(' ');
  const [node, file] = process.argv.map((path) => (path.includes(' ') ? `"${path}"` : path));
  return [...(/\.js"?$/.test(file) ? [node] : []), file, command, ...options].join(' ');
}
