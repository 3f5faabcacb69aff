import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'

/** More do not serve more: the writes have one queue. */
const MOST = 8

/** How many threads answer requests, and what to tell of it (docs/operations.md#threads). */
export function httpThreads(
  { http_threads, role }: Pick<Config, 'http_threads' | 'role'>,
  { platform, processors }: { platform: NodeJS.Platform; processors: number } = thisMachine(),
): { threads: number; message: string | null } {
  const wanted = role === 'worker' ? 1 : http_threads || Math.min(MOST, processors)
  if (platform === 'linux' || wanted === 1) return { threads: wanted, message: null }
  return {
    threads: 1,
    message: 'one thread answers requests: this system does not spread the connections of a port among several',
  }
}

function thisMachine() {
  return { platform: process.platform, processors: Math.min(availableParallelism(), quotaOf(readQuota())) }
}

/**
 * The processors that a `cpu.max` of Linux's control groups allows, such as `150000 100000` for one and a half, rounded
 * up. A container sees all processors of its machine, however few it may use.
 */
export function quotaOf(cpu_max: string): number {
  const [, quota, period] = /^(\d+) (\d+)/.exec(cpu_max) ?? []
  return quota === undefined ? Infinity : Math.max(1, Math.ceil(Number(quota) / Number(period)))
}

/** Empty where there is no limit, and on other systems. */
function readQuota(): string {
  try {
    return readFileSync('/sys/fs/cgroup/cpu.max', 'utf8')
  } catch {
    return ''
  }
}
