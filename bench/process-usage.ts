import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second for whoever asks (USER_HZ), on all its platforms. */
const TICKS_PER_SECOND = 100;

export interface ProcessUsage {
  /** User and system time since the process began. */
  cpuSeconds: number;
  /** Memory that it holds (resident set). */
  rssBytes: number;
}

/** What processes use together; undefined where there is no /proc. */
export function usageOf(processes: { pid: number }[]): ProcessUsage | undefined {
  const all = processes.map(({ pid }) => usageOfOne(pid));
  return all.reduce((a, b) => a && b && { cpuSeconds: a.cpuSeconds + b.cpuSeconds, rssBytes: a.rssBytes + b.rssBytes });
}

function usageOfOne(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold spaces; utime is the 12th field behind it, stime the 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      rssBytes: Number(kilobytes) * 1024,
    };
  } catch {
    return undefined;
  }
}
